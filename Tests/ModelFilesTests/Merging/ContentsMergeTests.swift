import Foundation
import ModelDescription
import ModelFiles
import Testing

@Suite("Merging two edits of a model file")
struct ContentsMergeTests {
  /// Lines of a model, indented as Xcode does.
  static func model(_ lines: String...) -> String {
    (["<model type=\"x\">"] + lines.map { "    \($0)" } + ["</model>"]).joined(separator: "\n")
  }

  static func merge(_ base: String, _ ours: String, _ theirs: String) throws -> ContentsMerge {
    try ContentsMerge(
      base: Data(base.utf8), ours: Data(ours.utf8), theirs: Data(theirs.utf8), paths: ("base", "ours", "theirs"))
  }

  private func text(_ merge: ContentsMerge) -> String { String(decoding: merge.data, as: UTF8.self) }

  private static let order = [
    "<entity name=\"Order\" syncable=\"YES\">",
    "    <attribute name=\"note\" attributeType=\"String\" syncable=\"YES\"/>",
    "    <attribute name=\"total\" attributeType=\"Double\" syncable=\"YES\"/>",
    "</entity>",
  ]
  private static let base = text(order)

  private static func text(_ lines: [String]) -> String {
    (["<model type=\"x\">"] + lines.map { "    \($0)" } + ["</model>"]).joined(separator: "\n")
  }

  /// The base with a piece replaced.
  private static func edited(_ pieces: (String, String)...) -> String {
    pieces.reduce(base) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  @Test("Both add different attributes to one line: both are kept, in Xcode's order")
  func differentAttributes() throws {
    let ours = Self.edited(("name=\"note\" ", "name=\"note\" optional=\"YES\" "))
    let theirs = Self.edited(
      ("name=\"note\" attributeType=\"String\"", "name=\"note\" attributeType=\"String\" elementID=\"comment\""))
    let merge = try Self.merge(Self.base, ours, theirs)
    #expect(merge.conflicts == [])
    let line =
      "<attribute name=\"note\" optional=\"YES\" attributeType=\"String\" elementID=\"comment\" syncable=\"YES\"/>"
    #expect(text(merge) == Self.edited(("<attribute name=\"note\" attributeType=\"String\" syncable=\"YES\"/>", line)))
  }

  @Test("Both add a property: both are kept, each after its predecessor on its side")
  func bothAdd() throws {
    let end = "\n    </entity>"
    let ours = Self.edited((end, "\n        <relationship name=\"items\" toMany=\"YES\"/>" + end))
    let theirs = Self.edited((end, "\n        <attribute name=\"vat\" attributeType=\"Double\"/>" + end))
    let merge = try Self.merge(Self.base, ours, theirs)
    #expect(merge.conflicts == [])
    #expect(
      text(merge)
        == Self.edited(
          (
            end,
            "\n        <attribute name=\"vat\" attributeType=\"Double\"/>"
              + "\n        <relationship name=\"items\" toMany=\"YES\"/>" + end
          )))
    #expect(try Self.merge(Self.base, theirs, ours).data == merge.data)
  }

  @Test("Both make the same change")
  func sameChange() throws {
    let edit = Self.edited(("Double", "Decimal"))
    let merge = try Self.merge(Self.base, edit, edit)
    #expect(merge.conflicts == [] && text(merge) == edit)
  }

  @Test("Both change one attribute: markers around the line, all other changes merged")
  func attributeConflict() throws {
    let ours = Self.edited(("Double", "Decimal"), ("name=\"note\" ", "name=\"note\" optional=\"YES\" "))
    let theirs = Self.edited(("\"Double\"", "\"Float\" usesScalarValueType=\"YES\""))
    let merge = try Self.merge(Self.base, ours, theirs)
    #expect(
      text(merge) == """
        <model type="x">
            <entity name="Order" syncable="YES">
                <attribute name="note" optional="YES" attributeType="String" syncable="YES"/>
        <<<<<<< ours
                <attribute name="total" attributeType="Decimal" usesScalarValueType="YES" syncable="YES"/>
        =======
                <attribute name="total" attributeType="Float" usesScalarValueType="YES" syncable="YES"/>
        >>>>>>> theirs
            </entity>
        </model>
        """)
    #expect(
      merge.conflicts.map { "\($0.line): \($0)" } == [
        "4: Order.total: attributeType was “Double”, is “Decimal” in ours and “Float” in theirs"
      ])
  }

  @Test("A conflict in an entity's own line leaves its properties merged")
  func entityConflict() throws {
    let ours = Self.edited(("name=\"Order\"", "name=\"Order\" representedClassName=\"A\""))
    let theirs = Self.edited(("name=\"Order\"", "name=\"Order\" representedClassName=\"B\""), ("Double", "Float"))
    let merge = try Self.merge(Self.base, ours, theirs)
    #expect(
      text(merge) == """
        <model type="x">
        <<<<<<< ours
            <entity name="Order" representedClassName="A" syncable="YES">
        =======
            <entity name="Order" representedClassName="B" syncable="YES">
        >>>>>>> theirs
                <attribute name="note" attributeType="String" syncable="YES"/>
                <attribute name="total" attributeType="Float" syncable="YES"/>
            </entity>
        </model>
        """)
    #expect(
      merge.conflicts.map { "\($0.line): \($0)" } == [
        "2: Order: representedClassName was absent, is “A” in ours and “B” in theirs"
      ])
  }

  @Test("One side removes an element that the other changes")
  func removedAndChanged() throws {
    let line = "        <attribute name=\"total\" attributeType=\"Double\" syncable=\"YES\"/>\n"
    let (removed, changed) = (Self.edited((line, "")), Self.edited(("Double", "Float")))
    let merge = try Self.merge(Self.base, removed, changed)
    #expect(
      text(merge) == """
        <model type="x">
            <entity name="Order" syncable="YES">
                <attribute name="note" attributeType="String" syncable="YES"/>
        <<<<<<< ours
        =======
                <attribute name="total" attributeType="Float" syncable="YES"/>
        >>>>>>> theirs
            </entity>
        </model>
        """)
    #expect(merge.conflicts.map { "\($0.line): \($0)" } == ["4: Order.total: removed in ours, changed in theirs"])
    let mirrored = try Self.merge(Self.base, changed, removed)
    #expect(mirrored.conflicts.map { "\($0.line): \($0)" } == ["4: Order.total: changed in ours, removed in theirs"])
    #expect(text(mirrored).contains("Float\" syncable=\"YES\"/>\n=======\n>>>>>>> theirs\n    </entity>"))
  }

  @Test("An element that one side removes is removed; an entity without content becomes an empty tag, as in Xcode")
  func removal() throws {
    let ours = Self.edited(("        <attribute name=\"total\" attributeType=\"Double\" syncable=\"YES\"/>\n", ""))
    let theirs = Self.edited(("        <attribute name=\"note\" attributeType=\"String\" syncable=\"YES\"/>\n", ""))
    let merge = try Self.merge(Self.base, ours, theirs)
    #expect(merge.conflicts == [])
    #expect(text(merge) == "<model type=\"x\">\n    <entity name=\"Order\" syncable=\"YES\"/>\n</model>")
  }

  @Test("Into an element that was closed at once")
  func intoEmpty() throws {
    let base = Self.model("<entity name=\"A\"/>", "<entity name=\"B\"/>")
    let ours = Self.model("<entity name=\"A\" syncable=\"YES\"/>", "<entity name=\"B\"/>")
    let theirs = Self.model(
      "<entity name=\"A\">", "    <attribute name=\"a\"/>", "</entity>", "<entity name=\"B\"/>", "<entity name=\"C\"/>")
    let merge = try Self.merge(base, ours, theirs)
    #expect(merge.conflicts == [])
    #expect(
      text(merge)
        == Self.model(
          "<entity name=\"A\" syncable=\"YES\">", "    <attribute name=\"a\"/>", "</entity>", "<entity name=\"B\"/>",
          "<entity name=\"C\"/>"))
  }

  @Test("A rename on one side, edits and new references on the other")
  func rename() throws {
    let base = Self.model(
      "<entity name=\"Order\">",
      "    <attribute name=\"total\" attributeType=\"Double\"/>",
      "    <relationship name=\"buyer\" destinationEntity=\"User\" inverseName=\"orders\" inverseEntity=\"User\"/>",
      "</entity>",
      "<entity name=\"User\">",
      "    <relationship name=\"orders\" destinationEntity=\"Order\" inverseName=\"buyer\" inverseEntity=\"Order\"/>",
      "</entity>",
      "<elements>", "    <element name=\"Order\" width=\"1\"/>", "</elements>")
    let ours = Self.model(
      "<entity name=\"Purchase\" elementID=\"Order\">",
      "    <attribute name=\"sum\" attributeType=\"Double\" elementID=\"total\"/>",
      "    <relationship name=\"buyer\" destinationEntity=\"User\" inverseName=\"orders\" inverseEntity=\"User\"/>",
      "</entity>",
      "<entity name=\"User\">",
      "    <relationship name=\"orders\" destinationEntity=\"Purchase\" inverseName=\"buyer\" inverseEntity=\"Purchase\"/>",
      "</entity>",
      "<elements>", "    <element name=\"Purchase\" width=\"1\"/>", "</elements>")
    let theirs = Self.model(
      "<entity name=\"Order\">",
      "    <attribute name=\"total\" attributeType=\"Decimal\"/>",
      "    <relationship name=\"buyer\" destinationEntity=\"User\" inverseName=\"orders\" inverseEntity=\"User\"/>",
      "    <fetchIndex name=\"byTotal\"><fetchIndexElement property=\"total\"/></fetchIndex>",
      "</entity>",
      "<entity name=\"Invoice\" parentEntity=\"Order\"/>",
      "<entity name=\"User\">",
      "    <relationship name=\"orders\" destinationEntity=\"Order\" inverseName=\"buyer\" inverseEntity=\"Order\"/>",
      "    <relationship name=\"wishes\" destinationEntity=\"Order\"/>",
      "</entity>",
      "<elements>", "    <element name=\"Order\" width=\"1\"/>", "</elements>")
    let merge = try Self.merge(base, ours, theirs)
    #expect(merge.conflicts == [])
    let expected = Self.model(
      "<entity name=\"Purchase\" elementID=\"Order\">",
      "    <attribute name=\"sum\" attributeType=\"Decimal\" elementID=\"total\"/>",
      "    <relationship name=\"buyer\" destinationEntity=\"User\" inverseName=\"orders\" inverseEntity=\"User\"/>",
      "    <fetchIndex name=\"byTotal\"><fetchIndexElement property=\"sum\"/></fetchIndex>",
      "</entity>",
      "<entity name=\"Invoice\" parentEntity=\"Purchase\"/>",
      "<entity name=\"User\">",
      "    <relationship name=\"orders\" destinationEntity=\"Purchase\" inverseName=\"buyer\" inverseEntity=\"Purchase\"/>",
      "    <relationship name=\"wishes\" destinationEntity=\"Purchase\"/>",
      "</entity>",
      "<elements>", "    <element name=\"Purchase\" width=\"1\"/>", "</elements>")
    #expect(text(merge) == expected)
    #expect(text(try Self.merge(base, theirs, ours)) == expected)
  }

  @Test("Two names for one entity are a conflict")
  func twoRenames() throws {
    let ours = Self.edited(("name=\"Order\"", "name=\"Purchase\" elementID=\"Order\""))
    let theirs = Self.edited(("name=\"Order\"", "name=\"Sale\" elementID=\"Order\""))
    let merge = try Self.merge(Self.base, ours, theirs)
    #expect(
      merge.conflicts.map { "\($0)" } == ["Purchase: name was “Order”, is “Purchase” in ours and “Sale” in theirs"])
  }

  @Test("One renames to the name that the other adds")
  func nameTakenTwice() throws {
    let ours = Self.edited(
      ("name=\"note\" attributeType=\"String\"", "name=\"memo\" attributeType=\"String\" elementID=\"note\""))
    let theirs = Self.edited(
      ("\n    </entity>", "\n        <attribute name=\"memo\" attributeType=\"Date\"/>\n    </entity>"))
    let merge = try Self.merge(Self.base, ours, theirs)
    #expect(
      merge.conflicts.map { "\($0.line): \($0)" } == [
        "5: Order.memo: each side has an element of this name; remove or rename one of the two"
      ])
  }

  @Test("Both add a property of one name, of another kind")
  func kinds() throws {
    let end = "\n    </entity>"
    let ours = Self.edited((end, "\n        <attribute name=\"x\" attributeType=\"Date\"/>" + end))
    let theirs = Self.edited((end, "\n        <relationship name=\"x\" destinationEntity=\"Order\"/>" + end))
    let merge = try Self.merge(Self.base, ours, theirs)
    #expect(merge.conflicts.map { "\($0)" } == ["Order.x: <attribute> in ours, <relationship> in theirs"])
  }

  @Test("Ordered lists are taken completely; user info is merged by key")
  func lists() throws {
    let lines = { (index: String, info: String) in
      Self.model(
        "<entity name=\"A\">", "    <fetchIndex name=\"i\">\(index)</fetchIndex>", "    <userInfo>", info,
        "    </userInfo>",
        "</entity>")
    }
    let (a, b, c) = (
      "<fetchIndexElement property=\"a\"/>", "<fetchIndexElement property=\"b\"/>",
      "<fetchIndexElement property=\"c\"/>"
    )
    let (x, y, z) = (
      "<entry key=\"x\" value=\"1\"/>", "<entry key=\"y\" value=\"1\"/>", "<entry key=\"z\" value=\"1\"/>"
    )
    let merge = try Self.merge(lines(a, x), lines(a, x + y), lines(b + a, x + z))
    #expect(merge.conflicts == [])
    #expect(text(merge) == lines(b + a, x + z + y))
    let conflict = try Self.merge(lines(a, x), lines(a + c, x), lines(b + a, "<entry key=\"x\" value=\"2\"/>"))
    #expect(
      conflict.conflicts.map { "\($0)" } == [
        "A <fetchIndex> i: both sides changed its list, and the order of the list matters"
      ])
    #expect(text(conflict).contains("<entry key=\"x\" value=\"2\"/>"))
  }

  @Test("The diagram and the tools' versions never conflict")
  func layout() throws {
    let lines = { (tools: String, width: String) in
      "<model lastSavedToolsVersion=\"\(tools)\">\n<entity name=\"A\"/>\n<elements>\n"
        + "<element name=\"A\" positionX=\"\(width)\" width=\"\(width)\"/>\n</elements>\n</model>"
    }
    let merge = try Self.merge(lines("9", "1"), lines("10", "2"), lines("21754", "3"))
    #expect(merge.conflicts == [])
    #expect(text(merge) == lines("21754", "2"))
  }

  @Test("The common ancestor is unknown")
  func noBase() throws {
    let ours = Self.model("<entity name=\"A\" syncable=\"YES\"/>", "<entity name=\"B\"/>")
    let theirs = Self.model("<entity name=\"A\"/>", "<entity name=\"C\"/>")
    let merge = try Self.merge("", ours, theirs)
    #expect(merge.conflicts == [])
    #expect(
      text(merge)
        == Self.model("<entity name=\"A\" syncable=\"YES\"/>", "<entity name=\"C\"/>", "<entity name=\"B\"/>"))
  }

  @Test("In a file of a single line, markers are on lines of their own")
  func singleLine() throws {
    let lines = { (type: String) in
      "<model><entity name=\"A\"><attribute name=\"a\" attributeType=\"\(type)\"/></entity></model>"
    }
    let merge = try Self.merge(lines("Date"), lines("UUID"), lines("URI"))
    #expect(
      text(merge) == """
        <model><entity name="A">
        <<<<<<< ours
        <attribute name="a" attributeType="UUID"/>
        =======
        <attribute name="a" attributeType="URI"/>
        >>>>>>> theirs
        </entity></model>
        """)
  }

  @Test(
    "A file that is not a model is refused",
    arguments: [
      "", "no XML", "<html/>", "<model><entity name=\"A\">", "<model>\n<<<<<<< ours\n</model>",
      "<!DOCTYPE model><model/>", "<!DOCTYPE model [<!ENTITY a \"b\">]><model/>",
    ])
  func noModel(_ text: String) {
    #expect(throws: ModelFileError.self) { try Self.merge(Self.base, text, Self.base) }
    #expect(throws: ModelFileError.self) { try Self.merge(Self.base, Self.base, text) }
  }

  @Test("Deep nesting costs a refusal, not the program")
  func deepNesting() {
    let deep = "<model>" + String(repeating: "<entity name=\"a\">", count: 5000)
    #expect(throws: ModelFileError.self) { try Self.merge(Self.base, deep, Self.base) }
  }
}
