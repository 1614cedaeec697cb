import ModelDescription
import ModelFiles
import SampleModelCode
import TestSupport
import Testing
import VersionHashing

@Suite("The sample models, in XML and in Swift")
struct SampleModelCodeTests {
  static let models: [(name: String, model: ManagedObjectModel)] =
    [
      ("Company@v1", Company.v1), ("Company@v2", Company.v2), ("Family@v1", Family.v1), ("Family@v2", Family.v2),
      ("Staff@v1", Staff.v1), ("Staff@v2", Staff.v2), ("Todo@v1", Todo.v1), ("Todo@v2", Todo.v2),
      ("Orders@v6", Orders.v6),
    ] + (1...6).map { ("Orders@v\($0)", Orders.model(version: $0)) }

  @Test("The value is the same, and so are all hashes", arguments: models)
  func equal(name: String, model: ManagedObjectModel) throws {
    let parts = name.split(separator: "@").map(String.init)
    let bundle = SampleModels.path(parts[0])
    let file = try ContentsReader.read(fileAt: "\(bundle)/\(parts[1]).xcdatamodel/contents")
    #expect(model == file.model)
    let (ours, theirs) = try (VersionHashes(of: model), VersionHashes(of: file.model))
    #expect(ours == theirs)
    #expect(!ours.entities.isEmpty && ours.checksum == theirs.checksum && ours.digest == theirs.digest)
  }

  @Test("Every version of every sample bundle is there")
  func complete() throws {
    for name in ["Company", "Family", "Orders", "Staff", "Todo"] {
      let versions = try ModelBundle(at: SampleModels.path(name)).versions.map { "\(name)@\($0.name)" }
      #expect(Set(versions).isSubset(of: Self.models.map(\.name)))
    }
  }
}
