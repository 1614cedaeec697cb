import Foundation

/// Writes a new version: everything is written under a hidden name first, then put in place by renaming, and taken back
/// when a step fails.
struct VersionWriter {
  let version: NewModelVersion
  /// The folder under its hidden name.
  let draft: String

  init(_ version: NewModelVersion) {
    self.version = version
    let folder = version.bundle.form == .single ? BundlePath.parent(version.bundle.path) : version.bundle.path
    draft = BundlePath.joined(folder, ".modelctl-\(UUID().uuidString)")
  }

  func write() throws(NewVersionError) {
    var undo: [() throws -> Void] = [{ try FileManager.default.removeItem(atPath: draft) }]
    do {
      try version.bundle.form == .single ? convert(&undo) : extend(&undo)
    } catch {
      for step in undo.reversed() { try? step() }
      throw (error as? NewVersionError)
        ?? .unwritable(path: version.bundle.path, reason: (error as NSError).localizedDescription)
    }
  }

  /// Adds the version to its bundle.
  private func extend(_ undo: inout [() throws -> Void]) throws {
    guard !FileManager.default.fileExists(atPath: version.path) else {
      throw NewVersionError.exists(name: version.name, bundle: version.bundle.path)
    }
    try writeFiles(to: draft)
    try FileManager.default.moveItem(atPath: draft, toPath: version.path)
    undo.append { try FileManager.default.removeItem(atPath: version.path) }
    try restore(in: version.previous.filePath, &undo)
    if version.isCurrent { try writeCurrent(in: version.bundle.path) }
  }

  /// Makes a bundle of a single model: the model moves in beside the new version.
  private func convert(_ undo: inout [() throws -> Void]) throws {
    let single = version.bundle.path
    guard !FileManager.default.fileExists(atPath: version.bundlePath) else {
      throw NewVersionError.inTheWay(path: version.bundlePath)
    }
    try writeFiles(to: BundlePath.joined(draft, "\(version.name).xcdatamodel"))
    try writeCurrent(in: draft)
    try restore(in: version.previous.filePath, &undo)
    let inside = BundlePath.joined(draft, BundlePath.lastComponent(single))
    try FileManager.default.moveItem(atPath: single, toPath: inside)
    undo.append { try FileManager.default.moveItem(atPath: inside, toPath: single) }
    try FileManager.default.moveItem(atPath: draft, toPath: version.bundlePath)
  }

  private func writeFiles(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, data) in version.files {
      try data.write(to: URL(fileURLWithPath: BundlePath.joined(folder, name)))
    }
  }

  private func writeCurrent(in folder: String) throws {
    let file = URL(fileURLWithPath: BundlePath.joined(folder, CurrentVersionFile.name))
    try Data(CurrentVersionFile.text(version: version.name).utf8).write(to: file, options: .atomic)
  }

  private func restore(in path: String, _ undo: inout [() throws -> Void]) throws {
    guard let restoration = version.restoration else { return }
    let file = URL(fileURLWithPath: path)
    let edited = try Data(contentsOf: file)
    undo.append { try edited.write(to: file, options: .atomic) }
    try restoration.contents.write(to: file, options: .atomic)
  }
}
