import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Every object of the corpus is read and written", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusRoundTripTests {
  @Test("A fresh store has the same objects, values, links and orders, and verify finds nothing in it")
  func roundTrip() throws {
    let stores = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }
    let histories = Corpus.files(in: "swiftdata") { $0.hasSuffix("store") }
    let sample = CorpusSample.of(stores, atMost: 4) + CorpusSample.of(histories, atMost: 2)
    let logged = stores.filter { FileManager.default.fileExists(atPath: $0.path + "-wal") }
    let chosen = sample + logged.filter { !sample.contains($0) }.prefix(2)
    var (written, objects, links, opened) = (0, 0, 0, 0)
    for file in chosen {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + suffix)
      }
      let reader = try StoreReader(path: path)
      let identified = try reader.identify(among: CorpusVersions.holding(file, readBy: reader)).model
      reader.close()
      guard let model = identified else { continue }
      let (own, keepsModel) = try open(path, model)
      #expect(Set(own.hierarchy.model.entities.map(\.name)) == Set(model.entities.map(\.name)), "\(file.path)")
      let before = try CorpusDump(own)
      try own.close()
      guard !before.objects.isEmpty else { continue }
      opened += keepsModel ? 1 : 0
      let copy = try ObjectStore.open(folder.path("copy.sqlite"), model: model)
      let ids = try before.write(to: copy, file.path)
      try copy.close()
      guard let ids else { continue }
      let again = try ObjectStore.open(folder.path("copy.sqlite"), model: model)
      #expect(again.opening == .opened)
      #expect(try before.renamed(by: ids).differences(from: CorpusDump(again)).prefix(5) == [], "\(file.path)")
      try again.close()
      let checker = try StoreReader(path: folder.path("copy.sqlite"))
      let findings = try checker.verify(against: EntityHierarchy(model)).filter { !Self.isGuess($0) }
      #expect(findings == [], "\(file.path): \(findings)")
      checker.close()
      written += 1
      objects += before.objects.count
      for lists in before.links.values { for list in lists.values { links += list.count } }
    }
    print(
      "round trip: \(objects) objects with \(links) links of to-many relationships, in \(written) of",
      "\(CorpusSample.scope(chosen.count, of: stores.count + histories.count)) stores; \(opened) opened by the model",
      "that they keep")
    #expect(written > CorpusSample.least(46, sampled: 0))
    #expect(opened > CorpusSample.least(42, sampled: 0))
  }

  /// Opens a store by the model that it keeps, else by the one that it was found to be of.
  private func open(_ path: String, _ model: ManagedObjectModel) throws -> (store: ObjectStore, keepsModel: Bool) {
    do {
      return (try ObjectStore.open(at: path), true)
    } catch ObjectStoreError.noModel {
      var options = OpeningOptions()
      options.migration = .refuse
      return (try ObjectStore.open(path, model: model, options: options), false)
    }
  }

  /// True for the one warning that there may be: only Core Data knows the name of some join tables.
  private static func isGuess(_ finding: StoreFinding) -> Bool {
    finding.severity == .warning && finding.kind == .schema && finding.sentence.contains("of its join table is a guess")
  }
}
