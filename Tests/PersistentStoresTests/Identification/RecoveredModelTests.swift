import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing
import VersionHashing

@Suite(
  "The version that wrote a store, made of its file that was edited since",
  .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
struct RecoveredModelTests {
  @Test("Every corpus model with an edit in it gives the store's hashes again, proved by reading the file")
  func corpus() throws {
    guard let folder = Corpus.folder else { return }
    var (tried, made) = (0, 0)
    let bundles = ModelBundle.discover(under: folder.appendingPathComponent("models").path)
    let chosen = Thoroughness.positions(of: bundles.count, atMost: 8)
    for (number, bundle) in bundles.enumerated() where chosen.contains(number) {
      guard let version = bundle.versions.last, version.form == .contents,
        let data = try? Data(contentsOf: URL(fileURLWithPath: version.filePath)),
        let former = try? ContentsReader.read(data, path: "contents").model,
        let hashes = try? VersionHashes(of: former),
        let edited = Self.edited(data, former, number),
        let known = try? LoadedVersion(
          bundle: bundle.path, name: version.name, isCurrent: true, model: edited.file.model),
        let nearest = NearestVersion(to: hashes, among: [known])
      else { continue }
      let document = try ContentsDocument(edited.data, path: "contents")
      tried += 1
      let metadata = StoreMetadata(uuid: "0", versionHashes: hashes, identifiers: [])
      do {
        let recovered = try RecoveredModel(
          of: metadata, nearest: nearest, document: document, among: [known], cached: nil)
        let read = try ContentsReader.read(recovered.contents, path: "contents").model
        #expect(try VersionHashes(of: read) == hashes, "\(version.filePath)")
        made += 1
      } catch {
        print("not made: \(version.filePath): \(error)")
      }
    }
    print("recovered: \(made) of \(tried) models that were edited")
    #expect(tried > 5 && made == tried)
  }

  /// One attribute is optional where it was not, or the other way round.
  private static func edited(_ data: Data, _ model: ManagedObjectModel, _ number: Int) -> EditedContents? {
    let all = model.entities.flatMap { entity in entity.attributes.map { (entity.name, $0) } }
      .filter { !$0.1.isTransient && $0.1.derivation == nil }
    guard !all.isEmpty else { return nil }
    let (entity, attribute) = all[number % all.count]
    let change = SettingChange(.optional, attribute.isOptional ? "no" : "yes")
    return try? EditedContents(
      .set(.property(entity: entity, name: attribute.name), [change]), of: data, path: "contents")
  }
}
