import Foundation
import MappingModels
import ModelFiles
import TestSupport
import Testing

@Suite("A mapping file that cannot be used is refused at its place")
struct MappingFileErrorTests {
  private func wrapped(_ content: String) -> String {
    "<mappingModel source=\"v2\" destination=\"v3\">\n  \(content)\n</mappingModel>"
  }

  private func message(_ text: String) -> String {
    do {
      _ = try MappingResolutionTests.resolved(text)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "The schema",
    arguments: [
      ("<entityMaping/>", "v2-v3.xml:2:3: not valid: Element 'entityMaping': This element is not expected."),
      ("<drop/>", "v2-v3.xml:2:3: not valid: Element 'drop': The attribute 'name' is required but missing"),
      (
        "<entityMapping source=\"Note\">\n    <attribute nam=\"a\"/></entityMapping>",
        "v2-v3.xml:3:5: not valid: Element 'attribute', attribute 'nam': The attribute 'nam' is not allowed"
      ),
      ("<entityMapping where=\"\"/>", "v2-v3.xml:2:3: not valid: Element 'entityMapping', attribute 'where':"),
      ("<entityMapping type=\"kopie\"/>", "v2-v3.xml:2:3: not valid: Element 'entityMapping', attribute 'type':"),
      ("<entityMapping sourceHash=\"abc=\"/>", "v2-v3.xml:2:3: not valid: Element 'entityMapping', attribute"),
      ("text", "v2-v3.xml:1:1: not valid: Element 'mappingModel': Character content"),
    ]
  )
  func schema(content: String, beginning: String) {
    let message = message(wrapped(content))
    #expect(message.hasPrefix(beginning), "\(message)")
  }

  @Test(
    "Errors that the schema cannot express",
    arguments: [
      ("<entityMapping/>", "v2-v3.xml:2:3: the entity mapping names no entity"),
      (
        "<entityMapping source=\"Costumer\"/>",
        "v2-v3.xml:2:3: the source model has no entity “Costumer”; nearest: Customer"
      ),
      (
        "<entityMapping destination=\"Customer\"/>",
        "v2-v3.xml:2:3: the destination model has no entity “Customer”"
      ),
      (
        "<entityMapping source=\"Order\" destination=\"Order\">\n    <attribute name=\"nummer\" value=\"1\"/></entityMapping>",
        "v2-v3.xml:3:5: the destination entity Order has no property “nummer”; nearest: number"
      ),
      (
        "<entityMapping source=\"Order\" destination=\"Order\">\n    <attribute name=\"buyer\" value=\"1\"/></entityMapping>",
        "v2-v3.xml:3:5: Order.buyer is a relationship; write <relationship name=\"buyer\" …/>"
      ),
      (
        "<entityMapping source=\"Order\" destination=\"Order\"><relationship name=\"total\" empty=\"yes\"/></entityMapping>",
        "v2-v3.xml:2:53: Order.total is an attribute; write <attribute name=\"total\" …/>"
      ),
      (
        "<entityMapping source=\"Order\" destination=\"Order\"/><entityMapping source=\"Order\" destination=\"Order\"/>",
        "v2-v3.xml:2:54: two entity mappings have the name “OrderToOrder”; give one of them another name=\"…\""
      ),
      (
        """
        <entityMapping source="Order" destination="Order"><attribute name="total" value="1"/>
        <attribute name="total" default="yes"/></entityMapping>
        """,
        "v2-v3.xml:3:1: “total” is mapped twice; remove one of the mappings"
      ),
      (
        "<entityMapping source=\"Order\" destination=\"Order\"><attribute name=\"total\" value=\"1\" sql=\"2\"/></entityMapping>",
        "v2-v3.xml:2:53: <attribute> can have only one of value and sql; remove one of them"
      ),
      (
        "<entityMapping source=\"Order\"><attribute name=\"total\" value=\"1\"/></entityMapping>",
        "v2-v3.xml:2:33: an entity mapping without a destination creates no objects"
      ),
      (
        "<entityMapping destination=\"Order\" where=\"number > 1\"/>",
        "v2-v3.xml:2:3: an entity mapping without a source reads no objects"
      ),
      (
        "<entityMapping source=\"Customer\" destination=\"Person\"/>",
        "v2-v3.xml:2:3: Person.since changes from String to Date, and this is not inferred; write value=\"…\", sql=\"…\" or"
      ),
      (
        "<entityMapping source=\"Order\" destination=\"Order\"><relationship name=\"buyer\" mapping=\"X\"/></entityMapping>",
        "v2-v3.xml:2:53: the mapping model has no entity mapping “X”"
      ),
      (
        """
        <entityMapping source="Note" destination="Order"><relationship name="buyer" keyPath="$source.title"/>\
        </entityMapping>
        """,
        "v2-v3.xml:2:52: $source.title gives no objects of the source model"
      ),
      (
        "<drop name=\"Note.titel\"/>",
        "v2-v3.xml:2:3: the source model has no “Note.titel” to drop; nearest: Note.title"
      ),
      ("<drop name=\"Note\"/><drop name=\"Note\"/>", "v2-v3.xml:2:22: “Note” is written twice; remove one of the two"),
      ("<policy class=\"P\"/><policy class=\"P\"/>", "v2-v3.xml:2:22: the policy “P” is written twice"),
    ]
  )
  func meaning(content: String, beginning: String) {
    let message = message(wrapped(content))
    #expect(message.hasPrefix(beginning), "\(message)")
  }

  @Test(
    "An expression is refused at the very character, references and line breaks counted",
    arguments: [
      ("<entityMapping source=\"Note\" where=\"title LIEK 'x'\"/>", "v2-v3.xml:2:45: where: unknown operator “LIEK”"),
      ("<entityMapping where='a &lt; &amp; b'/>", "v2-v3.xml:2:32: where: unknown operator “&”"),
      (
        "<entityMapping\n  source='Note'\n  where='a +\n   $'/>",
        "v2-v3.xml:5:5: where: expected the name of a variable"
      ),
      ("<entityMapping name='a>\"b' where=\"é + 😀\"/>", "v2-v3.xml:2:41: where: unknown operator “😀”"),
    ]
  )
  func expressions(content: String, beginning: String) {
    let message = message(wrapped(content))
    #expect(message.hasPrefix(beginning), "\(message)")
  }

  @Test(
    "Other files",
    arguments: [
      ("", "v2-v3.xml: the file is empty"),
      ("<database/>", "v2-v3.xml:1:1: the root element is <database> instead of <mappingModel>; convert"),
      ("<mappingModel>", "v2-v3.xml:1:15: not well-formed XML"),
      ("<!DOCTYPE m [<!ENTITY a \"b\">]><mappingModel/>", "v2-v3.xml:1:"),
    ]
  )
  func otherFiles(text: String, beginning: String) {
    let message = message(text)
    #expect(message.hasPrefix(beginning), "\(message)")
  }

  @Test("Ten thousand levels and a hundred thousand problems end in one message")
  func hostile() {
    let deep = String(repeating: "<entityMapping>", count: 10_000)
    #expect(message(wrapped(deep)).contains("nesting"))
    let many = String(repeating: "<x/>", count: 90_000)
    #expect(message(wrapped(many)).hasPrefix("v2-v3.xml:2:3: not valid:"))
    let large = String(repeating: " ", count: 9 << 20)
    #expect(message(wrapped(large)).contains("its size in bytes exceeds the limit of 8388608"))
    let mappings = (0...2_000).map { "<entityMapping name=\"m\($0)\" source=\"Note\"/>" }.joined(separator: "\n")
    #expect(message(wrapped(mappings)).hasPrefix("v2-v3.xml:2002:1: the number of its entity mappings exceeds"))
    let invalid = String(repeating: "<entityMapping type='x'/>", count: 90_000)
    #expect(message(wrapped(invalid)).hasPrefix("v2-v3.xml:2:3: not valid:"))
  }

  @Test("Two thousand changed files are read or refused at a place in them")
  func damaged() throws {
    var generator = SeededGenerator(seed: 41)
    let original = Array(MappingResolutionTests.file.utf8)
    var readable = 0
    for _ in 0..<2_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = original.randomElement(using: &generator) ?? 0
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        }
      }
      do {
        _ = try MappingFile(Data(bytes), path: "f.xml").resolved(
          from: ShopModels.source(), to: ShopModels.destination())
        readable += 1
      } catch let error as MappingFileError {
        #expect(error.location.line >= 1 && error.location.line <= 20, "\(error)")
      }
    }
    print("damaged mapping files: 2,000, still readable \(readable)")
    #expect(readable > 0 && readable < 2_000)
  }

  @Test("UTF-16, a byte order mark and line breaks of two characters make no difference")
  func encodings() throws {
    let text = MappingResolutionTests.file.replacingOccurrences(of: "\n", with: "\r\n")
    let expected = try MappingResolutionTests.read(MappingResolutionTests.file).written
    for encoding in [String.Encoding.utf8, .utf16, .utf16LittleEndian] {
      let mark = encoding == .utf16 ? "" : "\u{FEFF}"
      let data = try #require((mark + text).data(using: encoding))
      #expect(try MappingFile(data, path: "f.xml").written == expected)
    }
  }

  @Test("The schema beside the documentation is the one in the program")
  func publishedSchema() throws {
    let path = URL(fileURLWithPath: SampleModels.path("x")).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/schemas/mapping.xsd")
    #expect(try String(contentsOf: path, encoding: .utf8) == MappingSchema.text)
  }
}
