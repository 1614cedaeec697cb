import Foundation

/// Writes an export: everything is written under a hidden name first, then put in place by renaming, and taken back when
/// a step fails.
struct ExportWriter {
  private let export: ModelExport
  private let draft: String

  init(_ export: ModelExport) {
    self.export = export
    let folder =
      switch export.form {
      case .version(let bundle): bundle
      case .bundle(let bundle): BundlePath.parent(bundle)
      case .single, .file: BundlePath.parent(export.path)
      }
    draft = BundlePath.joined(folder, ".modelctl-\(UUID().uuidString)")
  }

  func write() throws(ModelExportError) {
    var undo: [() throws -> Void] = [{ try FileManager.default.removeItem(atPath: draft) }]
    do {
      try put(&undo)
    } catch {
      for step in undo.reversed() { try? step() }
      throw .unwritable(path: export.path, reason: (error as NSError).localizedDescription)
    }
  }

  private func put(_ undo: inout [() throws -> Void]) throws {
    switch export.form {
    case .file:
      try export.contents.write(to: URL(fileURLWithPath: draft))
      try FileManager.default.moveItem(atPath: draft, toPath: export.path)
    case .single:
      try writeVersion(to: draft)
      try FileManager.default.moveItem(atPath: draft, toPath: export.path)
    case .bundle(let bundle):
      try writeVersion(to: BundlePath.joined(draft, BundlePath.lastComponent(export.path)))
      try writeCurrent(in: draft)
      try FileManager.default.moveItem(atPath: draft, toPath: bundle)
    case .version(let bundle):
      try writeVersion(to: draft)
      try FileManager.default.moveItem(atPath: draft, toPath: export.path)
      undo.append { try FileManager.default.removeItem(atPath: export.path) }
      try writeCurrent(in: bundle)
    }
  }

  private func writeVersion(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try export.contents.write(to: URL(fileURLWithPath: BundlePath.joined(folder, "contents")))
  }

  private func writeCurrent(in folder: String) throws {
    guard let name = export.writtenCurrentName else { return }
    let file = URL(fileURLWithPath: BundlePath.joined(folder, CurrentVersionFile.name))
    try Data(CurrentVersionFile.text(version: name).utf8).write(to: file, options: .atomic)
  }
}
