import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreContents

/// Texts that `load` is given: what is refused leaves nothing, what is loaded is sound, and a new store and an empty one
/// that is there get the same objects.
///
/// The first line says the form, as in `Order.csv` or `text.jsonl`.
enum LoadTarget {
  static func run(_ data: Data) throws {
    guard let end = data.firstIndex(of: 0x0A) else { return }
    let name = String(decoding: data[..<end], as: UTF8.self)
    guard !name.isEmpty, name.utf8.count < 100, !name.contains("/"), !name.contains("\0"),
      let form = LoadFormat(of: name)
    else { return }
    try FuzzFolder.with { folder in
      let text = "\(folder)/\(name)"
      try Data(data[(end + 1)...]).write(to: URL(fileURLWithPath: text))
      let version = try FuzzSamples.order(3)
      let made = try attempt(text, form, version, "\(folder)/made.sqlite")
      try StoreCreator(of: version.hierarchy).create(at: "\(folder)/filled.sqlite")
      let filled = try attempt(text, form, version, "\(folder)/filled.sqlite")
      try FuzzFinding.expect(made == filled, "a new store and an empty one have other objects")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      try FuzzFinding.expect(!names.contains { $0.hasSuffix(".partial") }, "a partial store is left")
      try FuzzFinding.expect(names.contains("made.sqlite") == (made != nil), "a refused text left a store")
    }
  }

  /// The objects of the store; nil when nothing was loaded.
  private static func attempt(
    _ text: String, _ form: LoadFormat, _ version: LoadedVersion, _ path: String
  ) throws -> [StoreDocument.Object]? {
    do {
      _ = try StoreLoading(text, format: form, version: version).run(to: path)
    } catch {
      _ = "\(error)"
      return nil
    }
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let problems = try reader.verify(against: version.hierarchy).filter { $0.severity == .error }
    if let problem = problems.first { throw FuzzFinding("a loaded store is not sound: \(problem)") }
    return try StoreDocument(storeAt: path, model: version.hierarchy).objects
  }
}
