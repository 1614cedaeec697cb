import Foundation
import TestSupport

/// A temporary folder with a copy of the sample models, as it looks to somebody in a clone of the package.
struct SampleFolder {
  let folder: TemporaryFolder
  /// The user's cache folder, outside of what the program works on.
  let cache: TemporaryFolder

  var url: URL { folder.url }

  init() throws {
    (folder, cache) = (try TemporaryFolder(), try TemporaryFolder())
    let models = URL(fileURLWithPath: SampleModels.path("Orders")).deletingLastPathComponent()
    try FileManager.default.copyItem(at: models, to: url.appendingPathComponent("Models"))
    try FileManager.default.copyItem(
      at: models.deletingLastPathComponent().appendingPathComponent("Migrations"),
      to: url.appendingPathComponent("Migrations"))
  }

  /// Makes an empty folder.
  init(emptyNamed name: String) throws {
    (folder, cache) = (try TemporaryFolder(), try TemporaryFolder())
    try FileManager.default.createDirectory(at: url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  /// Makes a copy of a workspace as it is now.
  init(copying other: SampleFolder) throws {
    (folder, cache) = (try TemporaryFolder(), try TemporaryFolder())
    for name in try FileManager.default.contentsOfDirectory(atPath: other.url.path) {
      try FileManager.default.copyItem(at: other.url.appendingPathComponent(name), to: url.appendingPathComponent(name))
    }
  }

  /// Runs the program here.
  func modelctl(_ arguments: String...) throws -> Modelctl.Result { try Modelctl.run(arguments, in: self) }

  /// Has modelctl migrate the stores, as a project does that has mapping files.
  func migrateByModelctl() throws { try write("{ \"migratedBy\": \"modelctl\" }\n", to: ".modelctl.json") }

  /// Makes a store of the Orders model.
  func makeStore(_ name: String = "shop.sqlite", version: String = "Orders@v1", rows: Int = 5) throws {
    let result = try modelctl("create", name, "--version", version, "--rows", String(rows), "--seed", "7")
    guard result.status == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["reason": result.standardError]) }
  }

  /// Writes a text file, with the folders on its way.
  func write(_ text: String, to name: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Replaces a piece of a text file.
  func edit(_ name: String, _ piece: String, _ replacement: String) throws {
    let file = url.appendingPathComponent(name)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    try write(text.replacingOccurrences(of: piece, with: replacement), to: name)
  }

  /// Every file below the folder with its bytes.
  func contents() throws -> [String: Data] {
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
