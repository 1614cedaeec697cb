import Foundation
import TestSupport
import Testing

@Suite("The changes for the stores of a configuration, and content that no store holds")
struct ConfigurationMoveTests {
  private static let entities = """
    <entity name="Cache" representedClassName="Cache"/>
        <entity name="Item" representedClassName="Item"/>
        <entity name="Folder" representedClassName="Folder"><attribute name="name" optional="YES" attributeType="String"/></entity>
    """

  /// Two versions, of which the first is released: the configurations have these entities.
  private func workspace(_ versions: [[(String, [String])]], bodies: [String] = []) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Configurations")
    for (position, configurations) in versions.enumerated() {
      let members = configurations.map { name, entities in
        "<configuration name=\"\(name)\">\(entities.map { "<memberEntity name=\"\($0)\"/>" }.joined())</configuration>"
      }
      let body = bodies.isEmpty ? Self.entities : bodies[position]
      try workspace.write(
        "<model>\n    \(body)\n    \(members.joined(separator: "\n    "))\n</model>\n",
        to: "M.xcdatamodeld/V\(position + 1).xcdatamodel/contents")
      try workspace.write(
        """
        <?xml version="1.0"?><plist version="1.0"><dict>
        <key>_XCCurrentVersionName</key><string>V\(position + 1).xcdatamodel</string></dict></plist>
        """, to: "M.xcdatamodeld/.xccurrentversion")
      if position == 0 { try workspace.shell("modelctl lock") }
    }
    return workspace
  }

  private static let moved: [[(String, [String])]] = [
    [("Local", ["Cache", "Folder"]), ("Cloud", ["Item"])], [("Local", ["Cache"]), ("Cloud", ["Item", "Folder"])],
  ]

  @Test("An entity that moves to another configuration is a loss of the stores of the first, by its consent")
  func moved() throws {
    let workspace = try workspace(Self.moved)
    let found = try workspace.modelctl("check")
    #expect(found.status == 1)
    #expect(
      found.standardOutput.contains(
        "error: V1 → V2: stores of configuration Local lose Folder, and those of Cloud get it [data-loss]"), "\(found)")
    #expect(!found.standardOutput.contains("delete it") && !found.standardOutput.contains("equal-hashes"), "\(found)")
    let refused = try workspace.modelctl("lock")
    #expect(refused.status == 2 && refused.standardError.contains("--allow-data-loss Folder"), "\(refused)")
    let consent = try #require(found.standardOutput.firstMatch(of: /record the loss: (modelctl .*)/)?.1)
    try workspace.shell(String(consent))
    #expect(try workspace.modelctl("check").status == 0)
    try workspace.shell("modelctl create local.sqlite --version V1 --configuration Local --rows 2")
    let blocked = try workspace.modelctl("migrate", "local.sqlite")
    #expect(blocked.status == 2 && blocked.standardError.contains("Folder"), "\(blocked)")
    try workspace.shell("modelctl migrate local.sqlite --allow-data-loss @lock")
  }

  @Test("An entity that leaves every configuration, or joins one more, and an abstract one that holds no rows")
  func otherMoves() throws {
    let left = try workspace([[("Local", ["Cache", "Folder"])], [("Local", ["Cache"])]])
    #expect(try left.modelctl("check").standardOutput.contains("stores of configuration Local lose Folder [data-loss]"))
    let joined = try workspace([
      [("Local", ["Cache", "Folder"]), ("Cloud", [])], [("Local", ["Cache", "Folder"]), ("Cloud", ["Folder"])],
    ])
    let found = try joined.modelctl("check").standardOutput
    #expect(!found.contains("data-loss") && !found.contains("delete it"), "\(found)")
    let abstract = Self.entities.replacing("name=\"Folder\" ", with: "name=\"Folder\" isAbstract=\"YES\" ")
    let none = try workspace(Self.moved, bodies: [abstract, abstract])
    #expect(try !none.modelctl("check").standardOutput.contains("data-loss"))
  }

  @Test("status of a store of another configuration names the configuration that fits")
  func status() throws {
    let workspace = try workspace(Self.moved)
    try workspace.shell(
      "modelctl create all.sqlite --version V1 --rows 2 && modelctl create local.sqlite --version V1 --configuration Local --rows 1"
    )
    let whole = try workspace.modelctl("status", "all.sqlite", "--configuration", "Cloud")
    #expect(whole.status == 1)
    let words = whole.standardOutput.replacing(/\n +/, with: " ")
    #expect(words.contains("written by version V2 of M.xcdatamodeld"), "\(whole)")
    #expect(
      words.contains(
        "note: it has all entities of V2, not only those of configuration Cloud; omit --configuration"),
      "\(whole)")
    #expect(
      !words.contains("edited since") && !words.contains("--as-store") && !words.contains("--configuration Cloud "))
    let local = try workspace.modelctl("status", "local.sqlite", "--configuration", "Cloud")
    #expect(
      local.standardOutput.replacing(/\n +/, with: " ").contains(
        "it has the entities of configuration Local of V1, not of Cloud; use --configuration Local, or omit the option"
      ),
      "\(local)")
    #expect(try workspace.modelctl("status", "local.sqlite", "--configuration", "Local").status == 0)
  }

  @Test("A version that changes only settings for code is a note, without advice about a hash modifier")
  func classOnly() throws {
    for (old, new) in [
      (#"representedClassName="Folder""#, #"representedClassName=".Folder""#),
      (#"representedClassName="Cache""#, #"representedClassName="Cache" codeGenerationType="class""#),
    ] {
      let workspace = try workspace([[], []], bodies: [Self.entities, Self.entities.replacing(old, with: new)])
      let found = try workspace.modelctl("check")
      #expect(found.status == 0, "\(found)")
      #expect(
        found.standardOutput.contains(
          "note: V2 has the hashes of V1, so Core Data treats them as the same version; stores do not contain"),
        "\(found)")
      #expect(
        found.standardOutput.contains("fix: make the change in V1, where it does not change a hash"), "\(found)")
      #expect(!found.standardOutput.contains("modifier"), "\(found)")
    }
  }
}
