import Foundation
import TestSupport
import Testing

@Suite("JSON stores in git, as docs/guides/models-in-git.md sets it up")
struct StoreMergeDriverTests {
  private let workspace: SampleFolder
  private static let store = "Stores/family.json"
  private static let users = """
    {"id": 1, "children": [2, 3], "name": "Karl"},
       {"id": 2, "name": "Anna", "parent": 1},
       {"id": 3, "name": "Eva", "parent": 1}
    """

  /// A repository with the sample models, the page's configuration, and a store of three users.
  init() throws {
    workspace = try SampleFolder()
    try shell("git init --quiet --initial-branch=main && mkdir Stores")
    for line in try GitTests.setup() { try shell(line) }
    try shell("modelctl create empty.sqlite --version Family@v1 --uuid 9ECD24C8-A2FC-49F1-A4F6-D9A513D12374")
    try shell("modelctl convert empty.sqlite \(Self.store) && rm empty.sqlite*")
    try workspace.edit(Self.store, "\"objects\": {}", "\"objects\": {\n  \"User\": [\n   \(Self.users)]}")
    try shell("modelctl verify \(Self.store)")
    try shell("git add --all && git commit --quiet -m store")
  }

  @discardableResult
  private func shell(_ line: String, status: Int32 = 0) throws -> Modelctl.Result {
    let result = try Modelctl.shell(line, in: workspace)
    #expect(result.status == status, "\(line): \(result)")
    return result
  }

  /// Two branches with one edit each; `main` is checked out.
  private func branches(_ ours: (String, String), _ theirs: (String, String)) throws {
    try shell("git checkout --quiet -b theirs")
    try workspace.edit(Self.store, theirs.0, theirs.1)
    try shell("git commit --quiet --all -m theirs && git checkout --quiet main")
    try workspace.edit(Self.store, ours.0, ours.1)
    try shell("git commit --quiet --all -m ours")
  }

  private func objects() throws -> String {
    let text = try String(contentsOf: workspace.url.appendingPathComponent(Self.store), encoding: .utf8)
    return String(text.drop { $0 != "\n" }.components(separatedBy: "\"objects\": ").last ?? "")
  }

  @Test("git merge merges two edits of one object and two added objects, of which theirs gets the next key")
  func cleanMerge() throws {
    let added = { (name: String) in "\"parent\": 1},\n   {\"id\": 4, \"name\": \"\(name)\", \"parent\": 3}]}" }
    try branches(("\"parent\": 1}]}", added("Otto")), ("\"parent\": 1}]}", added("Ida")))
    try shell("git merge --quiet --no-edit theirs")
    #expect(
      try objects() == """
        {
          "User": [
           {"id": 1, "children": [2, 3], "name": "Karl"},
           {"id": 2, "name": "Anna", "parent": 1},
           {"id": 3, "children": [4, 5], "name": "Eva", "parent": 1},
           {"id": 4, "name": "Otto", "parent": 3},
           {"id": 5, "name": "Ida", "parent": 3}]}}

        """)
    #expect(try shell("git status --porcelain").standardOutput.isEmpty)
    try shell("modelctl verify \(Self.store)")
  }

  @Test("git merge stops at a conflict, with markers around the object and object and property on standard error")
  func conflict() throws {
    try branches(("Anna", "Anne"), ("Anna", "Hanna"))
    let result = try shell("git merge --quiet --no-edit theirs", status: 1)
    #expect(
      result.standardError.hasPrefix(
        "\(Self.store): conflict: User 2: name was “Anna”, is “Anne” in ours and “Hanna” in theirs\n"))
    #expect(try shell("git diff --name-only --diff-filter=U").standardOutput == "\(Self.store)\n")
    #expect(
      try objects().contains(
        """
           {"id": 1, "children": [2, 3], "name": "Karl"},
        <<<<<<< ours
           {"id": 2, "name": "Anne", "parent": 1},
        =======
           {"id": 2, "name": "Hanna", "parent": 1},
        >>>>>>> theirs
           {"id": 3, "name": "Eva", "parent": 1}]}}

        """))
    try Refusal.expect(["show", Self.store], says: ["\(Self.store):", "merge conflict markers"], in: workspace)
    try shell("sed -i.old -e '/^<<<<<<</d' -e '/^=======/,/^>>>>>>>/d' \(Self.store) && modelctl verify \(Self.store)")
    try shell("git add \(Self.store) && git commit --quiet --no-edit")
  }

  @Test("Either side of each conflict gives a store, also where the last object is deleted")
  func deletedLast() throws {
    let deleted = Self.users.replacing("[2, 3]", with: "[2]").components(separatedBy: ",\n   {\"id\": 3")[0]
    try branches((Self.users, deleted), ("Eva", "Eve"))
    let result = try shell("git merge --quiet --no-edit theirs", status: 1)
    #expect(result.standardError.contains("User 3: deleted in ours, changed or linked to in theirs\n"))
    try shell("cp \(Self.store) both")
    try shell("sed -e '/^<<<<<<</d' -e '/^=======/,/^>>>>>>>/d' both > \(Self.store) && modelctl verify \(Self.store)")
    #expect(try !objects().contains("Ev"))
    try shell("sed -e '/^<<<<<<</,/^=======/d' -e '/^>>>>>>>/d' both > \(Self.store) && modelctl verify \(Self.store)")
    #expect(try objects().contains("Eve"))
  }

  @Test("A relationship to which the merge gives too many objects or too few is a conflict")
  func counts() throws {
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="team" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Team" \
      inverseName="members" inverseEntity="Team"/></entity>
      <entity name="Team"><relationship name="members" toMany="YES" minCount="2" maxCount="4" deletionRule="Nullify" \
      destinationEntity="Person" inverseName="team" inverseEntity="Person"/></entity></model>
      """, to: "Teams.xcdatamodeld/v1.xcdatamodel/contents")
    func person(_ name: String) -> String { #"{"entity":"Person","name":"\#(name)","team":1}"# + "\n" }
    let people = ["a", "b", "c"].enumerated().map { person($1).replacing("{", with: "{\"id\":\($0 + 1),") }
    try workspace.write(#"{"entity":"Team","id":1,"members":[1,2,3]}"# + "\n" + people.joined(), to: "base.jsonl")
    try shell("modelctl load base.jsonl --output base.json --version Teams@v1")
    for name in ["d", "e"] {
      try workspace.write(person(name), to: "\(name).jsonl")
      try shell("cp base.json \(name).json && modelctl load \(name).jsonl --output \(name).json --version Teams@v1")
    }
    let tooMany = try shell("modelctl merge base.json d.json e.json", status: 1)
    #expect(
      tooMany.standardError.contains(
        "d.json: conflict: Team 1: members has 5 objects and may have at most 4; remove objects\n"), "\(tooMany)")
    for name in ["a", "b"] {
      try shell("cp base.json \(name).json && modelctl delete \(name).json Person --where \"name == '\(name)'\"")
    }
    let tooFew = try shell("modelctl merge base.json a.json b.json", status: 1)
    #expect(
      tooFew.standardError.contains(
        "a.json: conflict: Team 1: members has 1 object and needs at least 2; add objects\n"), "\(tooFew)")
    try shell("cp base.json same.json && modelctl merge base.json same.json d.json")
  }

  @Test("Decimal numbers keep all digits, and are a conflict where each side edits the last ones")
  func digits() throws {
    try workspace.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Item"><attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/></entity></model>
      """, to: "Prices.xcdatamodeld/v1.xcdatamodel/contents")
    let number = "19.990000000000000001"
    try workspace.write(#"{"entity":"Item","id":1,"name":"one","price":"\#(number)"}"# + "\n", to: "items.jsonl")
    try shell("modelctl load items.jsonl --output base.json --version Prices@v1")
    for side in ["ours", "theirs"] { try shell("cp base.json \(side).json") }
    try workspace.edit("theirs.json", "\"one\"", "\"uno\"")
    try shell("modelctl merge base.json ours.json theirs.json")
    let merged = try shell("cat ours.json").standardOutput
    #expect(merged.contains("\"\(number)\"") && merged.contains("\"uno\""), "\(merged)")
    try workspace.edit("ours.json", number, "19.990000000000000002")
    try workspace.edit("theirs.json", number, "19.990000000000000003")
    let conflict = try shell("modelctl merge base.json ours.json theirs.json", status: 1)
    #expect(conflict.standardError.contains("conflict: Item 1: price"), "\(conflict)")
    let both = try shell("cat ours.json").standardOutput
    #expect(both.contains("19.990000000000000002") && both.contains("19.990000000000000003"), "\(both)")
  }

  @Test("Stores of different versions are not merged, and our store is unchanged")
  func versions() throws {
    try shell("git checkout --quiet -b theirs && modelctl migrate \(Self.store) --no-backup")
    try shell("git commit --quiet --all -m theirs && git checkout --quiet main")
    try workspace.edit(Self.store, "Anna", "Anne")
    try shell("git commit --quiet --all -m ours")
    let result = try shell("git merge --quiet --no-edit theirs", status: 1)
    #expect(
      result.standardError.hasPrefix(
        """
        error: \(Self.store), theirs: the store is of another version of the model than \(Self.store)
          Migrate both stores to the same version:
            modelctl migrate
        """))
    #expect(try objects().contains("Anne") && !objects().contains("<<<"))
    try shell("git merge --abort")
    try Refusal.expect(
      ["merge", Self.store, Self.store, "Models/README.md"], says: ["Models/README.md: this is not a JSON store"],
      in: workspace)
  }
}
