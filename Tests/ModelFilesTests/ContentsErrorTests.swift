import Foundation
import ModelDescription
import ModelFiles
import Testing

/// The errors of the `contents` reader and their messages.
struct ContentsErrorTests {
  private func failure(_ text: String) -> String {
    do {
      let file = try ContentsReader.read(Data(text.utf8), path: "m")
      return "read: \(file.model.entities.map(\.name))"
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("", "m: the file is empty; restore it"),
    (
      "<model>\n  <entity name=\"E\">\n</model>",
      "m:3:9: not well-formed XML: Opening and ending tag mismatch: entity line 2 and model;"
        + " check the file"
    ),
    (
      "<model>\n  <entity name=\"E\"/>\n<<<<<<< HEAD\n</model>",
      "m:3:1: the file has merge conflict markers; resolve the conflicts, then stage the file"
    ),
    (
      "<plist><dict/></plist>",
      "m: the file is a property list, not a model in XML; name the bundle, or the file “elements” or “.mom”"
    ),
    (
      "bplist00",
      "m: the file is a property list, not a model in XML; name the bundle, or the file “elements” or “.mom”"
    ),
    ("<html/>", "m:1:1: the root element is <html> instead of <model>; name the “contents” file of a version"),
    ("<model>\n  <entity/>\n</model>", "m:2:3: this <entity> has no name; add name=\"…\""),
    (
      "<model><entity name=\"E\"><attribute name=\"\"/></entity></model>",
      "m:1:25: this <attribute> has no name; add name=\"…\""
    ),
  ])
  func aMessageHasPlaceCauseAndNextStep(_ text: String, _ message: String) {
    #expect(failure(text) == message)
  }

  @Test func compositeTypesThatContainEachOtherAreRefusedAtTheirPlace() {
    let text = """
      <model>
        <composite name="A"><attribute name="b" attributeType="Composite" composite="B"/></composite>
        <composite name="B"><attribute name="a" attributeType="Composite" composite="A"/></composite>
      </model>
      """
    #expect(failure(text) == "m:2:3: composite types contain each other: A → B → A; remove one from another")
  }

  @Test func compositeTypesThatGrowWithoutEndAreRefused() {
    let layers = (1...30).map { layer in
      let next = #"attributeType="Composite" composite="C\#(layer + 1)""#
      return #"<composite name="C\#(layer)"><attribute name="a" \#(next)/><attribute name="b" \#(next)/></composite>"#
    }
    let text = "<model>\(layers.joined())<composite name=\"C31\"><attribute name=\"x\"/></composite></model>"
    #expect(failure(text) == "m: the number of its composite attributes' elements exceeds the limit of 20000")
  }

  @Test func entitiesAreNeitherDeclaredNorExpandedNorLoaded() {
    let laughs = "<!DOCTYPE model [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]><model><entity name=\"&b;\"/></model>"
    #expect(failure(laughs).contains("entity declarations are not accepted"))
    let external = "<!DOCTYPE model [<!ENTITY x SYSTEM \"file:///etc/hostname\">]><model><entity name=\"E\"/></model>"
    #expect(failure(external).contains("entity declarations are not accepted"))
    let undeclared = "<!DOCTYPE model SYSTEM \"file:///nowhere.dtd\"><model><entity name=\"&x;\"/></model>"
    #expect(failure(undeclared).contains("not well-formed XML: Entity 'x' not defined"))
  }

  @Test func deepNestingIsRefused() {
    let depth = 5000
    let text = String(repeating: "<model>", count: depth) + String(repeating: "</model>", count: depth)
    #expect(failure(text) == "m: the nesting of its elements exceeds the limit of 100")
  }

  @Test func manyAttributesOfOneElementAreRefused() {
    func text(_ count: Int, after head: String = "") -> String {
      let attributes = (0..<count).map { "a\($0)=\"1\"" }.joined(separator: " ")
      return "\(head)<model><entity name=\"E\" \(attributes)/></model>"
    }
    let refusal = "m: the number of attributes of an element in line 1 exceeds the limit of 500"
    #expect(failure(text(499)) == "read: [\"E\"]")
    #expect(failure(text(500)) == refusal)
    // No quote in front of the tag hides it.
    for head in ["<!--'-->", "<?x '?>", "<!DOCTYPE model SYSTEM \"a'[b>\">", "<!DOCTYPE model>"] {
      #expect(failure(text(499, after: head)) == "read: [\"E\"]", "\(head)")
      #expect(failure(text(500, after: head)) == refusal, "\(head)")
    }
    for head in ["<!DOCTYPE model [<!--'-->]>", "<!DOCTYPE model [<!ATTLIST model a CDATA \"<'\">]>"] {
      #expect(failure(text(40_000, after: head)).contains("entity declarations are not accepted"), "\(head)")
    }
    let long = "<model \(String(repeating: " ", count: 40_000))/>"
    #expect(failure(long) == "m: the size of a tag without its values in bytes in line 1 exceeds the limit of 32768")
    let value = String(repeating: "x", count: 100_000)
    #expect(failure("<model><entity name=\"E\" comment=\"\(value)\"/></model>") == "read: [\"E\"]")
  }

  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: ModelFileError.self) {
      try ContentsReader.read(Data([0x3C, 0xC3, 0x28, 0x3E]), path: "m")
    }
  }

  @Test func everyPrefixAndEveryFlippedByteIsAnswered() throws {
    let text = """
      <?xml version="1.0"?><model><entity name="E" parentEntity="P"><attribute name="a" attributeType="Date"
      defaultDateTimeInterval="1"/><uniquenessConstraints><uniquenessConstraint><constraint value="a"/>
      </uniquenessConstraint></uniquenessConstraints></entity></model>
      """
    let bytes = Array(text.utf8)
    var (accepted, refused) = (0, 0)
    for length in bytes.indices {
      for flip in [UInt8(0), 1, 0x20, 0x80] {
        var changed = flip == 0 ? Array(bytes[..<length]) : bytes
        if flip != 0 { changed[length] ^= flip }
        do {
          _ = try ContentsReader.read(Data(changed), path: "m")
          accepted += 1
        } catch {
          refused += 1
        }
      }
    }
    #expect(accepted + refused == bytes.count * 4)
    #expect(refused > bytes.count)
  }

  @Test func aQuoteInAPathStaysInsideTheCommand() {
    #expect(
      ModelFileError.empty(path: "it's").advice?.text == #"restore it: git checkout -- 'it'\''s'"#)
    #expect(
      ModelFileError.empty(path: "it's/m").advice?.text == #"restore it: git -C 'it'\''s' checkout -- m"#)
  }

  @Test func aMissingFileIsSaidToBeMissing() {
    #expect(
      throws: ModelFileError.unreadable(path: "no/such/contents", reason: "there is no such file")
    ) {
      try ContentsReader.read(fileAt: "no/such/contents")
    }
  }
}
