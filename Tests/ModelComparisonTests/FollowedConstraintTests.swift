import ModelComparison
import ModelDescription
import Testing
import VersionHashing

@Suite("Uniqueness constraints of attributes that are renamed")
struct FollowedConstraintTests {
  private func model(_ name: String, identifier: String? = nil, unique constraints: [[String]]) -> ManagedObjectModel {
    ManagedObjectModel {
      EntityDescription(
        name: "Customer",
        attributes: [
          AttributeDescription(name: name, type: .integer32, renamingIdentifier: identifier),
          AttributeDescription(name: "email", type: .string),
        ],
        uniquenessConstraints: constraints)
    }
  }

  private func change(
    from former: ManagedObjectModel, to latter: ManagedObjectModel
  ) throws -> Change? {
    try ModelDifference(from: former, to: latter).changes.first { $0.element == .entity("Customer") }
  }

  @Test("A constraint follows the rename: the hash changes, and unique rows are still unique")
  func follows() throws {
    let former = model("number", unique: [["number", "email"]])
    let latter = model("code", identifier: "number", unique: [["code", "email"]])
    let change = try #require(try change(from: former, to: latter))
    #expect(
      change.kind == .followsRename(.uniquenessConstraints, from: "(number, email)", to: "(code, email)"),
      "\(change.kind)")
    #expect(change.changesHash)
  }
}
