package import Foundation
import ModelDescription
import Synchronization

/// A temporary folder with a copy of the sample models, as it looks to somebody in a clone of the package.
package struct SampleFolder {
  package let folder: TemporaryFolder
  /// The user's cache folder, outside of what the program works on.
  package let cache: TemporaryFolder

  package var url: URL { folder.url }

  package init() throws {
    (folder, cache) = (try TemporaryFolder(), try TemporaryFolder())
    try FileManager.default.copyItem(at: Prepared.models, to: url.appendingPathComponent("Models"))
    // The mirrored sample has a folder of its own.
    try FileManager.default.removeItem(at: url.appendingPathComponent("Models/CloudKit"))
    try FileManager.default.copyItem(
      at: Prepared.models.deletingLastPathComponent().appendingPathComponent("Migrations"),
      to: url.appendingPathComponent("Migrations"))
  }

  /// Makes an empty folder.
  package init(emptyNamed name: String) throws {
    (folder, cache) = (try TemporaryFolder(), try TemporaryFolder())
    try FileManager.default.createDirectory(at: url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  /// Makes a copy of a workspace as it is now.
  package init(copying other: SampleFolder) throws {
    (folder, cache) = (try TemporaryFolder(), try TemporaryFolder())
    for name in try FileManager.default.contentsOfDirectory(atPath: other.url.path) {
      try FileManager.default.copyItem(at: other.url.appendingPathComponent(name), to: url.appendingPathComponent(name))
    }
  }

  /// Runs the program here.
  package func modelctl(_ arguments: String...) throws -> Modelctl.Result { try Modelctl.run(arguments, in: self) }

  /// Has modelctl migrate the stores, as a project does that has mapping files.
  package func migrateByModelctl() throws { try write("{ \"migratedBy\": \"modelctl\" }\n", to: ".modelctl.json") }

  /// Makes a store of the Orders model.
  ///
  /// The first store of a folder is a copy, if its version is as the package has it: to start the program takes longer.
  package func makeStore(_ name: String = "shop.sqlite", version: String = "Orders@v1", rows: Int = 5) throws {
    let kind = (name as NSString).pathExtension
    let place = url.appendingPathComponent(name)
    guard isUnchanged(version), ["sqlite", "json", "xml", "binary"].contains(kind), !name.contains("/"),
      !FileManager.default.fileExists(atPath: place.path), !hasStores
    else { return try createStore(name, version, rows) }
    let made = try Prepared.folder("store.\(kind) \(version) \(rows)") {
      let folder = try SampleFolder()
      try folder.createStore("made.\(kind)", version, rows)
      return folder
    }
    try FileManager.default.copyItem(at: made.url.appendingPathComponent("made.\(kind)"), to: place)
  }

  private func createStore(_ name: String, _ version: String, _ rows: Int) throws {
    let result = try modelctl("create", name, "--version", version, "--rows", String(rows), "--seed", "7")
    guard result.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["reason": result.standardError]) }
  }

  /// True where a store may be here already, whose identifier another one must not have.
  private var hasStores: Bool {
    let known: Set = ["Models", "Migrations", ".modelctl.json", ".git"]
    return !known.isSuperset(of: (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [""])
  }

  private func isUnchanged(_ version: String) -> Bool {
    let parts = version.split(separator: "@")
    guard parts.count == 2 else { return false }
    let path = "\(parts[0]).xcdatamodeld/\(parts[1]).xcdatamodel/contents"
    let original = Prepared.models.appendingPathComponent(path).path
    return FileManager.default.contentsEqual(
      atPath: original, andPath: url.appendingPathComponent("Models/\(path)").path)
  }

  /// Writes a text file, with the folders on its way.
  package func write(_ text: String, to name: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Replaces a piece of a text file.
  package func edit(_ name: String, _ piece: String, _ replacement: String) throws {
    let file = url.appendingPathComponent(name)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    try write(text.replacingOccurrences(of: piece, with: replacement), to: name)
  }

  /// Every file below the folder with its bytes.
  package func contents() throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in FileManager.default.enumerator(atPath: url.path)?.compactMap({ $0 as? String }) ?? [] {
      let file = url.appendingPathComponent(name)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
      files[name] = isFolder.boolValue ? Data() : try Data(contentsOf: file)
    }
    return files
  }
}

/// Folders that many tests begin with, each made once and removed at the end.
package enum Prepared {
  package static let models = URL(fileURLWithPath: SampleModels.path("Orders")).deletingLastPathComponent()

  private static let folders = OncePerKey<String, Result<SampleFolder, any Error>>()
  private static let paths = Mutex<[String]>([])
  private static let removal: Void = {
    atexit { Prepared.paths.withLock { $0 }.forEach { try? FileManager.default.removeItem(atPath: $0) } }
  }()

  /// The folder of a name, which must not be changed.
  package static func folder(_ name: String, make: () throws -> SampleFolder) throws -> SampleFolder {
    try folders.value(for: name) {
      Result {
        let folder = try make()
        removal
        paths.withLock { $0 += [folder.url.path, folder.cache.url.path] }
        return folder
      }
    }.get()
  }
}
