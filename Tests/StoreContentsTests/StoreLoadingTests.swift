import AtomicStores
import Foundation
import GRDB
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents
import StoreRows
import TestSupport
import Testing

@Suite("Stores of texts")
struct StoreLoadingTests {
  private static func version(_ model: ManagedObjectModel) throws -> LoadedVersion {
    try LoadedVersion(bundle: "Shop", name: "v1", isCurrent: true, model: model)
  }

  /// Loads a text into a new store, holds its objects against a store's, and verifies it.
  private func check(
    _ path: String, _ version: LoadedVersion, _ form: LoadForm, kind: (any StoreKind)? = nil, _ folder: TemporaryFolder
  ) throws {
    let texts = try LoadTexts(path, version.hierarchy)
    let text = try texts.write(form, to: folder)
    let place = folder.path("loaded\(UUID().uuidString)")
    let outcome = try StoreLoading(text, form: form, version: version).run(to: place, kind: kind)
    #expect(outcome.isNew && outcome.updated.isEmpty)
    #expect(outcome.inserted.values.reduce(0, +) == texts.document.objects.count)
    let mirror = try StoreMirror.of(place, versions: [version])
    #expect(mirror?.kind.name == kind?.name)
    let found = try StoreDocument(storeAt: mirror?.store ?? place, model: version.hierarchy)
    let (old, new) = (texts.document.underived(version.hierarchy), found.underived(version.hierarchy))
    #expect(old.objects == new.objects, "\(form) of \(path)")
    if form == .json {
      #expect(old.lastKeys == new.lastKeys)
      #expect(old.metadata.uuid == new.metadata.uuid && old.metadata.versionHashes == new.metadata.versionHashes)
    }
    let reader = try mirror?.reader() ?? StoreReader(path: place)
    defer { reader.close() }
    let findings = try reader.verify(against: version.hierarchy).filter { $0.severity == .error }
    #expect(findings == [], "\(form) of \(path): \(findings.prefix(3))")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasSuffix("partial") }, "\(names)")
  }

  @Test(
    "Every sample model and version", arguments: ["Orders", "Todo", "Family", "Staff", "Company"], LoadForm.allCases)
  func samples(_ name: String, _ form: LoadForm) throws {
    let versions = LoadedVersion.load(from: ModelBundle.discover(under: SampleModels.path(name))).versions
    #expect(!versions.isEmpty)
    for version in versions {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      try StoreCreator(of: version.hierarchy).create(at: path, filling: SyntheticRows(seed: 5, rowsPerEntity: 12))
      try check(path, version, form, folder)
    }
  }

  @Test("Orders, families, both sides of every relationship, large data", arguments: LoadForm.allCases)
  func shop(_ form: LoadForm) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("shop.sqlite")
    try ShopModel.make(path, customers: 30, orders: 90, tags: 8, seed: 3).close()
    for kind in [nil] + StoreKinds.builtIn.map(Optional.some) {
      try check(path, Self.version(ShopModel.model), form, kind: kind, folder)
    }
  }

  @Test("Texts of stores of the corpus", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func corpus() throws {
    let all = Corpus.files(in: "stores") { $0.hasSuffix("sqlite") }
    let chosen = CorpusSample.of(all, atMost: 2)
    var (stores, objects, refused) = (0, 0, 0)
    for file in chosen {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
      }
      let support = file.deletingLastPathComponent()
        .appendingPathComponent(".\(file.deletingPathExtension().lastPathComponent)_SUPPORT")
      if FileManager.default.fileExists(atPath: support.path) {
        try FileManager.default.copyItem(atPath: support.path, toPath: folder.path(".store_SUPPORT"))
      }
      let reader = try StoreReader(path: path)
      let identified = try reader.identify(among: CorpusVersions.holding(file, readBy: reader)).model
      reader.close()
      guard let model = identified, let version = try? Self.version(model),
        let texts = try? LoadTexts(path, version.hierarchy), !texts.document.objects.isEmpty
      else { continue }
      do {
        for form in LoadForm.allCases { try check(path, version, form, folder) }
        stores += 1
        objects += texts.document.objects.count
      } catch LoadError.problems(let problems, let more) {
        // Rows that were there before a rule of their model break it.
        refused += 1
        print("  \(file.lastPathComponent): \(problems.count + more) problems: \(problems[0])")
        for problem in problems {
          guard case .save = problem.cause else {
            Issue.record("\(file.path): \(problem)")
            break
          }
        }
      }
    }
    print(
      "loaded: \(objects) objects of \(stores) of \(CorpusSample.scope(chosen.count, of: all.count)) stores, \(refused) refused"
    )
    #expect(stores > 0)
  }
}
