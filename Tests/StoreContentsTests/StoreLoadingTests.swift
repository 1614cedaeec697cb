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
    _ path: String, _ version: LoadedVersion, _ form: LoadFormat, kind: (any StoreKind)? = nil,
    _ folder: TemporaryFolder
  ) throws {
    let texts = try LoadTexts(path, version.hierarchy)
    let text = try texts.write(form, to: folder)
    let place = folder.path("loaded\(UUID().uuidString)")
    let outcome = try StoreLoading(text, format: form, version: version).run(to: place, kind: kind)
    #expect(outcome.isNew && outcome.updated.isEmpty)
    #expect(outcome.inserted.values.reduce(0, +) == texts.document.objects.count)
    let mirror = try StoreMirror.of(place, versions: [version])
    #expect(mirror?.kind.name == kind?.name)
    let found = try StoreDocument(storeAt: mirror?.store ?? place, model: version.hierarchy)
    let (old, new) = (texts.document.underived(version.hierarchy), found.underived(version.hierarchy))
    #expect(old.objects == new.objects, "\(form) of \(path)")
    let copy = try StoreContent(mirror?.store ?? place, version.hierarchy)
    try compare(copy, with: StoreContent(path, version.hierarchy), form)
    let reader = try mirror?.reader() ?? StoreReader(path: place)
    defer { reader.close() }
    let findings = try reader.verify(against: version.hierarchy).filter { $0.severity == .error }
    #expect(findings == [], "\(form) of \(path): \(findings.prefix(3))")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!names.contains { $0.hasSuffix("partial") }, "\(names)")
  }

  /// Compares by the tests' own reader what both hold; only JSON has the metadata and the last keys.
  private func compare(_ copy: StoreContent, with original: StoreContent, _ form: LoadFormat) {
    let differing = form == .json ? copy.differences(from: original) : copy.graph.differences(from: original.graph)
    #expect(differing.prefix(5) == [], "\(form)")
  }

  @Test(
    "A dump can be loaded again, with every type and kind of link", arguments: LoadFormat.allCases,
    1...UInt64(6))
  func everyType(_ form: LoadFormat, _ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let version = try DumpSamples.version()
    let (path, copy) = (folder.path("store.sqlite"), folder.path("copy.sqlite"))
    let text = folder.path("text" + (form == .csv ? "" : ".\(form.rawValue)"))
    try DumpSamples.document(seed: seed).makeStore(at: path, version: version)
    try dump(path, version, form, to: text)
    _ = try StoreLoading(text, format: form, version: version).run(to: copy)
    try compare(StoreContent(copy, version.hierarchy), with: StoreContent(path, version.hierarchy), form)
    let documents = try [path, copy].map { store in
      let place = folder.path(UUID().uuidString)
      try dump(store, version, .json, to: place)
      return try String(contentsOf: URL(fileURLWithPath: place), encoding: .utf8)
    }
    let objects = documents.map { $0.split(separator: "\n \"objects\": ", maxSplits: 1).last }
    #expect(objects[1] == objects[0])
    if form == .json { #expect(documents[1] == documents[0]) }
  }

  private func dump(_ store: String, _ version: LoadedVersion, _ form: LoadFormat, to place: String) throws {
    let reader = try StoreReader(path: store)
    defer { reader.close() }
    let dumped: StoreDumpFormat =
      switch form {
      case .json: .json
      case .jsonl: .jsonLines
      case .csv: .csv
      }
    try StoreDump(as: dumped).write(reader, of: version.hierarchy, to: place)
  }

  @Test(
    "Every sample model and version", arguments: ["Orders", "Todo", "Family", "Staff", "Company"], LoadFormat.allCases)
  func samples(_ name: String, _ form: LoadFormat) throws {
    let versions = LoadedVersion.load(from: ModelBundle.discover(under: SampleModels.path(name))).versions
    #expect(!versions.isEmpty)
    for version in versions {
      let folder = try TemporaryFolder()
      let path = folder.path("store.sqlite")
      try StoreCreator(of: version.hierarchy).create(at: path, filling: SyntheticRows(seed: 5, rowsPerEntity: 12))
      try check(path, version, form, folder)
    }
  }

  @Test("Orders, families, both sides of every relationship, large data", arguments: LoadFormat.allCases)
  func shop(_ form: LoadFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("shop.sqlite")
    try ShopModel.make(path, customers: 30, orders: 90, tags: 8, seed: 3).close()
    for kind in [nil] + StoreKinds.builtIn.map(Optional.some) {
      try check(path, Self.version(ShopModel.model), form, kind: kind, folder)
    }
  }

  @Test("A store of another kind is made beside the external data of a SQLite store of its name")
  func besideExternalData() throws {
    let folder = try TemporaryFolder()
    let version = try Self.version(ShopModel.model)
    let path = folder.path("shop.sqlite")
    try ShopModel.make(path, customers: 3, orders: 4, tags: 2, seed: 3).close()
    let data = ExternalData.folder(ofStore: path)
    let files = try FileManager.default.contentsOfDirectory(atPath: data)
    #expect(!files.isEmpty)
    let text = try LoadTexts(path, version.hierarchy).write(.jsonl, to: folder)
    let loading = StoreLoading(text, format: .jsonl, version: version)
    for kind in StoreKinds.builtIn {
      let place = folder.path("shop.\(kind.name)")
      #expect(try loading.run(to: place, kind: kind).isNew)
      #expect(StoreKinds.kind(ofFile: place, among: StoreKinds.builtIn)?.name == kind.name)
    }
    #expect(throws: StoreCreationError.self) { try loading.run(to: folder.path("shop.db")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: data) == files)
  }

  @Test("Texts of stores of the corpus", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func corpus() throws {
    var (stores, objects, refused) = (0, 0, 0)
    let (_, scope) = try CorpusStores.forEach(atMost: 1) { path, version, file in
      let folder = try TemporaryFolder()
      let texts = try LoadTexts(path, version.hierarchy)
      guard !texts.document.objects.isEmpty else { return }
      do {
        for form in LoadFormat.allCases { try check(path, version, form, folder) }
        stores += 1
        objects += texts.document.objects.count
      } catch LoadError.findings(let problems, let more) {
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
    print("loaded: \(objects) objects of \(stores) of \(scope) stores, \(refused) refused")
    #expect(stores >= CorpusSample.least(41, sampled: 1))
  }
}
