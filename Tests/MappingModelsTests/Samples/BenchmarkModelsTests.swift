import MappingModels
import ModelDescription
import ModelFiles
import TestSupport
import Testing
import VersionHashing

@Suite("The benchmark models")
struct BenchmarkModelsTests {
  static let bundles = ["AddAttribute", "ChangeType", "FiveVersions", "RenameAttribute"]

  private func hierarchies(_ bundle: String) throws -> [EntityHierarchy] {
    try ModelBundle(at: SampleModels.benchmarkPath(bundle)).versions.map { try EntityHierarchy($0.load().model) }
  }

  @Test("one store serves every bundle, and is not one of the sample")
  func firstVersions() throws {
    let checksums = try Set(Self.bundles.map { try VersionHashes(of: #require(hierarchies($0).first)).checksum })
    #expect(checksums.count == 1)
    let sample = try #require(ModelBundle(at: SampleModels.path("Orders")).versions.first)
    #expect(try !checksums.contains(VersionHashes(of: sample.load().model).checksum))
  }

  @Test("every step runs without consent", arguments: bundles)
  func inference(of bundle: String) throws {
    let hierarchies = try hierarchies(bundle)
    for (source, destination) in zip(hierarchies, hierarchies.dropFirst()) {
      let mapping = try MappingModel.inferred(from: source, to: destination)
      #expect(mapping.losses(source: source, destination: destination) == [])
      #expect(mapping.requirements(source: source, destination: destination) == [])
      #expect(try VersionHashes(of: source) != VersionHashes(of: destination))
    }
  }

  @Test("the chain has five versions")
  func chain() throws {
    #expect(try hierarchies("FiveVersions").count == 5)
  }
}
