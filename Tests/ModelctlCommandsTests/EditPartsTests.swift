import Foundation
import TestSupport
import Testing

@Suite("edit writes the parts of an entity, and which version is current, as Xcode does")
struct EditPartsTests {
  private static let file = "Models/Todo.xcdatamodeld/v3.xcdatamodel/contents"
  private static let todo = ["--model", "Models/Todo.xcdatamodeld"]

  private static func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder()
    try workspace.shell("modelctl new-version --model Models/Todo.xcdatamodeld")
    return workspace
  }

  @Test(
    "A constraint, an index and a parent are written as Xcode does, and taken away they leave the bytes as they were")
  func partsOfEntities() throws {
    let workspace = try Self.workspace()
    func edit(_ words: String) throws -> String {
      try workspace.shell("modelctl edit \(words) --model Models/Todo.xcdatamodeld >/dev/null")
      return try String(contentsOf: workspace.url.appendingPathComponent(Self.file), encoding: .utf8)
    }
    let before = try String(contentsOf: workspace.url.appendingPathComponent(Self.file), encoding: .utf8)
    let unique = try edit("add constraint Todo title")
    #expect(
      unique.contains(
        """
                </fetchIndex>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="title"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
        """), "\(unique)")
    let two = try edit("add constraint Todo dueDate priority")
    #expect(
      two.contains(
        """
                    </uniquenessConstraint>
                    <uniquenessConstraint>
                        <constraint value="dueDate"/>
                        <constraint value="priority"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
        """), "\(two)")
    #expect(try edit("remove constraint Todo priority dueDate") == unique)
    #expect(try edit("remove constraint Todo title") == before)
    let indexed = try edit("add index Todo byTitle title priority:descending")
    #expect(
      indexed.contains(
        """
                <fetchIndex name="byTitle">
                    <fetchIndexElement property="title" type="Binary" order="ascending"/>
                    <fetchIndexElement property="priority" type="Binary" order="descending"/>
                </fetchIndex>
        """), "\(indexed)")
    #expect(try edit("remove index Todo byTitle") == before)
    let chore = try edit("add entity Chore")
    let child = try edit("set Chore parent=Todo")
    #expect(child.contains(#"<entity name="Chore" representedClassName="Chore" parentEntity="Todo" syncable="YES""#))
    try Refusal.expect(
      ["edit", "set", "Todo", "parent=Chore"] + Self.todo,
      says: ["parent=Chore: it is this entity, or inherits from it"],
      in: workspace)
    #expect(try edit("set Chore parent=") == chore)
  }

  @Test("A version is made current as Xcode does, and a dry run writes nothing")
  func current() throws {
    let workspace = try Self.workspace()
    let file = "Models/Todo.xcdatamodeld/.xccurrentversion"
    let before = try workspace.contents()
    let dry = try Modelctl.run(["edit", "current", "v1", "--dry-run"] + Self.todo, in: workspace)
    #expect(dry.status == 0 && dry.standardOutput.contains("v1 is current instead of v3\n"), "\(dry)")
    #expect(try workspace.contents() == before)
    try workspace.shell("modelctl edit current Todo@v1 && modelctl edit current v3 --model Models/Todo.xcdatamodeld")
    #expect(try workspace.contents()[file] == before[file])
    try workspace.shell("rm \(file) && modelctl edit current v3 --model Models/Todo.xcdatamodeld")
    #expect(try workspace.contents()[file] == before[file])
    try workspace.write("<model/>", to: "Single.xcdatamodel/contents")
    let single = try workspace.modelctl("edit", "current", "Single", "--model", "Single.xcdatamodel")
    #expect(single.status == 2 && single.standardError.hasPrefix("error: "), "\(single)")
  }
}
