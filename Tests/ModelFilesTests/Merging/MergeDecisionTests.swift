import Foundation
import ModelDescription
import ModelFiles
import Testing

@Suite("Conflicts that you must resolve")
struct MergeDecisionTests {
  /// A model of one entity with these lines.
  private static func entity(_ lines: String..., attributes: String = "") -> String {
    (["<model type=\"x\">", "    <entity name=\"A\"\(attributes)>"] + lines.map { "        \($0)" }
      + ["    </entity>", "</model>", ""]).joined(separator: "\n")
  }

  private func text(_ merge: ContentsMerge) -> String { String(decoding: merge.data, as: UTF8.self) }

  private static let (x, optional) = (
    "<attribute name=\"x\" attributeType=\"String\"/>",
    "<attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/>"
  )

  @Test("A comment or text that one side changed is kept with any change of the other side", arguments: [true, false])
  func asideOfOneSide(_ isOurs: Bool) throws {
    for (old, new) in [
      ("<!-- one -->", "<!-- two -->"), ("<!-- one -->", ""), ("", "<!-- two -->"),
      ("<custom>one</custom>", "<custom>two</custom>"),
    ] {
      let base = Self.entity(old, Self.x)
      let (edited, other) = (Self.entity(new, Self.x), Self.entity(old, Self.optional))
      let merge = try ContentsMergeTests.merge(base, isOurs ? edited : other, isOurs ? other : edited)
      #expect(merge.conflicts == [])
      #expect(text(merge) == Self.entity(new, Self.optional))
    }
  }

  @Test("An identifier that equals the element's own name causes no conflict", arguments: [true, false])
  func idleIdentifier(_ isOurs: Bool) throws {
    let (named, legacy) = (
      "<attribute name=\"x\" attributeType=\"String\" elementID=\"x\"/>",
      "<attribute name=\"x\" attributeType=\"String\" elementID=\"legacy\"/>"
    )
    for (base, other) in [(Self.x, legacy), (legacy, Self.x), (Self.x, "")] {
      let (idle, decided) = (
        Self.entity(named, "<attribute name=\"y\"/>"), Self.entity(other, "<attribute name=\"y\"/>")
      )
      let former = Self.entity(base, "<attribute name=\"y\"/>")
      let merge = try ContentsMergeTests.merge(former, isOurs ? idle : decided, isOurs ? decided : idle)
      #expect(merge.conflicts == [], "\(base) \(other)")
      let merged = try ContentsReader.read(merge.data, path: "contents").model.entities[0].attributes
      let wanted = try ContentsReader.read(Data(decided.utf8), path: "contents").model.entities[0].attributes
      #expect(merged.map(\.name) == wanted.map(\.name))
      if other == legacy { #expect(merged[0].renamingIdentifier == "legacy") }
    }
  }

  @Test("Comments before and behind everything")
  func asidesAtTheEnds() throws {
    let model = { (before: String, inside: String, behind: String) in
      "<?xml version=\"1.0\"?>\n\(before)\n<model>\n<entity name=\"A\"/>\n\(inside)\n</model>\n\(behind)\n"
    }
    let merge = try ContentsMergeTests.merge(
      model("<!--a-->", "<!--b-->", "<!--c-->"), model("<!--a-->", "<!--B-->", "<!--c-->"),
      model("<!--A-->", "<!--b-->", "<!--C-->"))
    #expect(merge.conflicts == [])
    #expect(text(merge) == model("<!--A-->", "<!--B-->", "<!--C-->"))
  }

  @Test("A comment that both sides changed is a conflict, with the rest merged")
  func asideOfBoth() throws {
    let merge = try ContentsMergeTests.merge(
      Self.entity("<!-- one -->", Self.x), Self.entity("<!-- two -->", Self.x),
      Self.entity("<!-- three -->", Self.optional))
    #expect(merge.conflicts.map { "\($0.line): \($0)" } == ["3: A.x: both sides changed its comment or text"])
    #expect(
      text(merge) == """
        <model type="x">
            <entity name="A">
        <<<<<<< ours
                <!-- two -->
        =======
                <!-- three -->
        >>>>>>> theirs
                <attribute name="x" optional="YES" attributeType="String"/>
            </entity>
        </model>

        """)
  }

  @Test("A comment that one side changed above an element that the other removed")
  func asideOfRemoved() throws {
    let y = "<attribute name=\"y\" attributeType=\"Date\"/>"
    let (base, changed, removed) = (
      Self.entity(y, "<!-- one -->", Self.x), Self.entity(y, "<!-- two -->", Self.x), Self.entity(y)
    )
    #expect(try ContentsMergeTests.merge(base, changed, removed).conflicts.count == 1)
    #expect(try ContentsMergeTests.merge(base, removed, changed).conflicts.count == 1)
    #expect(try text(ContentsMergeTests.merge(base, removed, base)) == removed)
  }

  @Test(
    "Both add one element: an absent attribute means its default value",
    arguments: [
      ("", "optional=\"YES\"", ["A.n: optional was absent, is absent in ours and “YES” in theirs"]),
      ("elementID=\"q\"", "", ["A.n: elementID was absent, is “q” in ours and absent in theirs"]),
      ("", "optional=\"NO\"", []), ("transient=\"NO\" elementID=\"\"", "", []), ("syncable=\"YES\"", "", []),
    ])
  func bothAdd(_ ours: String, _ theirs: String, _ conflicts: [String]) throws {
    let added = { (more: String) in "<attribute name=\"n\" \(more) attributeType=\"Date\"/>" }
    let merge = try ContentsMergeTests.merge(
      Self.entity(Self.x), Self.entity(Self.x, added(ours)), Self.entity(Self.x, added(theirs)))
    #expect(merge.conflicts.map { "\($0)" } == conflicts)
  }

  /// The changes of two sides to the attributes of one element, and the attributes in conflict.
  struct Group: Sendable {
    let (base, ours, theirs): (String, String, String)
    let conflicts: [String]

    init(_ base: String, _ ours: String, _ theirs: String, _ conflicts: [String] = []) {
      (self.base, self.ours, self.theirs, self.conflicts) = (base, ours, theirs, conflicts)
    }
  }

  private static let string = "attributeType=\"String\""
  private static let groups = [
    Group(
      "optional=\"YES\" defaultValueString=\"d\" \(string)", "defaultValueString=\"d\" \(string)",
      "optional=\"YES\" \(string)", ["optional", "defaultValueString"]),
    Group(
      string, "attributeType=\"Date\"", "defaultValueString=\"abc\" \(string)", ["attributeType", "defaultValueString"]),
    Group(string, "attributeType=\"Date\"", "derived=\"YES\" \(string)", ["attributeType", "derived"]),
    Group(
      "elementID=\"w\" \(string)", "elementID=\"w\" name=\"y\" \(string)", string, ["name", "elementID"]),
    Group(string, "attributeType=\"Date\"", "optional=\"YES\" \(string)"),
    Group(string, "attributeType=\"Integer 16\" defaultValueString=\"1\"", "attributeType=\"Integer 16\""),
    Group(string, "elementID=\"q\" \(string)", "renamingIdentifier=\"q\" \(string)"),
    Group(
      string, "elementID=\"q\" \(string)", "renamingIdentifier=\"r\" \(string)", ["elementID", "renamingIdentifier"]),
  ]

  @Test("Changes of attributes that belong together", arguments: groups)
  func together(_ group: Group) throws {
    let model = { (attributes: String) in
      Self.entity("<attribute \(attributes.contains("name=") ? "" : "name=\"x\" ")\(attributes)/>")
    }
    for (ours, theirs) in [(group.ours, group.theirs), (group.theirs, group.ours)] {
      let merge = try ContentsMergeTests.merge(model(group.base), model(ours), model(theirs))
      let names = merge.conflicts.compactMap { conflict -> String? in
        guard case .attribute(let name, _, _, _) = conflict.cause else { return nil }
        return name
      }
      #expect(Set(names) == Set(group.conflicts), "\(ours) / \(theirs)")
      #expect(merge.conflicts.count == group.conflicts.count)
      if group.conflicts.isEmpty {
        #expect(!(text(merge).contains("renamingIdentifier") && text(merge).contains("elementID")))
      }
    }
  }

  @Test("One side makes an entity abstract, the other gives it a parent")
  func abstractAndParent() throws {
    let merge = try ContentsMergeTests.merge(
      Self.entity(Self.x), Self.entity(Self.x, attributes: " isAbstract=\"YES\""),
      Self.entity(Self.x, attributes: " parentEntity=\"A\""))
    #expect(merge.conflicts.count == 2)
  }

  @Test("Each side gives another element the same renaming identifier")
  func sameIdentifier() throws {
    let added = { (name: String) in "<attribute name=\"\(name)\" attributeType=\"Date\" elementID=\"old\"/>" }
    let merge = try ContentsMergeTests.merge(
      Self.entity(Self.x), Self.entity(Self.x, added("m")), Self.entity(Self.x, added("n")))
    #expect(
      merge.conflicts.map { "\($0)" } == [
        "A.m: “old” identifies it in other versions, and A.n too; give one of the two another identifier"
      ])
  }

  @Test("Both change the only uniqueness constraint")
  func constraint() throws {
    let constraint = { (names: String) in
      "<uniquenessConstraints><uniquenessConstraint>"
        + names.map { "<constraint value=\"\($0)\"/>" }.joined()
        + "</uniquenessConstraint></uniquenessConstraints>"
    }
    let merge = { (ours: String, theirs: String) in
      try ContentsMergeTests.merge(
        Self.entity(Self.x, constraint("x")), Self.entity(Self.x, constraint(ours)),
        Self.entity(Self.x, constraint(theirs)))
    }
    #expect(
      try merge("xy", "xz").conflicts.map { "\($0)" } == [
        "A <uniquenessConstraints>: both sides changed the same constraint in different ways"
      ])
    #expect(try merge("xy", "xy").conflicts == [])
    #expect(try text(merge("x", "xz")) == Self.entity(Self.x, constraint("xz")))
  }

  @Test("Markers and inserted lines end as our lines do", arguments: ["\n", "\r\n"])
  func lineEnds(_ end: String) throws {
    let other = end == "\n" ? "\r\n" : "\n"
    func lines(_ text: String, _ end: String) -> String { text.replacingOccurrences(of: "\n", with: end) }
    let y = "<attribute name=\"y\" attributeType=\"Date\"/>"
    let (base, ours, theirs) = (
      Self.entity(Self.x), Self.entity(Self.optional.replacingOccurrences(of: "String", with: "Date")),
      Self.entity(Self.x.replacingOccurrences(of: "String", with: "UUID"), y)
    )
    let expected = try text(ContentsMergeTests.merge(base, ours, theirs))
    #expect(expected.contains("<<<<<<<") && expected.contains("name=\"y\""))
    let merge = try ContentsMergeTests.merge(base, lines(ours, end), lines(theirs, other))
    #expect(Array(merge.data) == Array(lines(expected, end).utf8))
  }
}
