import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import Reports
import StoreRows
import TestSupport

/// Stores that are read as a whole, in one of their forms: what was read is written and read as the same, also through SQLite.
enum DocumentTarget {
  private static let everyType = try? LoadedVersion(
    bundle: "fuzz", name: "every type", isCurrent: true, model: EveryTypeModel.model())

  static func run(_ data: Data, _ kind: any StoreKind) throws {
    guard kind.recognizes(data.prefix(4096)) else { return }
    let metadata = try kind.metadata(in: data, path: "store")
    let versions = FuzzSamples.todo + [everyType].compactMap(\.self)
    let identification = StoreIdentification(of: metadata, cachedModel: .absent, among: versions)
    let report = StatusReport([StatusReport.Store(path: "store", identification)])
    _ = try report.text + JSONText.encode(report)
    if let version = identification.version { try written(data, kind, version) }
    // Whatever the hashes say, the bytes are held against a model that has everything.
    if let everyType, identification.version?.name != everyType.name { try written(data, kind, everyType) }
    try recovered(data, kind)
  }

  /// Without a model, as `show` and `convert` read it.
  private static func recovered(_ data: Data, _ kind: any StoreKind) throws {
    let model: ManagedObjectModel
    switch kind {
    case let kind as XMLStoreKind: model = try kind.model(in: data, path: "store")
    case let kind as BinaryStoreKind: model = try kind.model(in: data, path: "store")
    default: return
    }
    let hierarchy = try EntityHierarchy(model)
    var document = try kind.document(in: data, of: hierarchy, path: "store")
    let bytes = try kind.bytes(of: document, model: hierarchy)
    var again = try kind.document(in: bytes, of: hierarchy, path: "written")
    // A binary store is written with its own store type.
    document.metadata = document.metadata.of(kind: kind.name)
    again.metadata = again.metadata.of(kind: kind.name)
    try FuzzFinding.expect(again.objects == document.objects, "objects of a recovered model are written as others")
    try FuzzFinding.expect(again == document, "a store of a recovered model is written as another")
  }

  private static func written(_ data: Data, _ kind: any StoreKind, _ version: LoadedVersion) throws {
    let document: StoreDocument
    do {
      document = try kind.document(in: data, of: version.hierarchy, path: "store")
    } catch {
      _ = "\(error)"
      return
    }
    for form in StoreKinds.builtIn {
      var copy = document
      copy.metadata = document.metadata.of(kind: form.name)
      let bytes: Data
      do {
        bytes = try form.bytes(of: copy, model: version.hierarchy)
      } catch {
        _ = "\(error)"
        continue
      }
      let again = try reading(bytes, form, version)
      try FuzzFinding.expect(again.objects == copy.objects, "the objects are others when \(form.name) is read again")
      try FuzzFinding.expect(again.lastKeys == copy.lastKeys, "the last keys are others in \(form.name)")
      let twice = try form.bytes(of: again, model: version.hierarchy)
      try FuzzFinding.expect(twice == bytes, "\(form.name) is written in two ways")
    }
    try stored(document, version)
  }

  private static func stored(_ document: StoreDocument, _ version: LoadedVersion) throws {
    try FuzzFolder.with { folder in
      var document = document
      document.metadata = document.metadata.ofSQLite
      try document.makeStore(at: folder + "/store.sqlite", version: version)
      let stored: StoreDocument
      do {
        stored = try StoreDocument(storeAt: folder + "/store.sqlite", model: version.hierarchy)
      } catch {
        throw FuzzFinding("a store that was made of a document cannot be read: \(error)")
      }
      try FuzzFinding.expect(
        stored.objects.map(\.id) == document.objects.map(\.id), "a store has other objects than its document")
      try stored.makeStore(at: folder + "/again.sqlite", version: version)
      let again = try StoreDocument(storeAt: folder + "/again.sqlite", model: version.hierarchy)
      try FuzzFinding.expect(again.objects == stored.objects, "a store is another after it was a document")
    }
  }

  private static func reading(_ bytes: Data, _ kind: any StoreKind, _ version: LoadedVersion) throws -> StoreDocument {
    do {
      return try kind.document(in: bytes, of: version.hierarchy, path: "written")
    } catch {
      throw FuzzFinding("\(kind.name) that was written cannot be read: \(error)")
    }
  }
}
