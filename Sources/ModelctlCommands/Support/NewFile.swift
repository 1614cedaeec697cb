import Foundation
import ModelKit

/// Writes a file that must not be there yet.
enum NewFile {
  /// Writes a file, with the folders on its way.
  ///
  /// - Throws: ``CommandError`` where something has the name, and when it cannot be written.
  static func write(_ text: String, to path: String) throws(CommandError) {
    guard !FileManager.default.fileExists(atPath: path) else { throw .fileExists(path: path) }
    do {
      try FileManager.default.createDirectory(
        atPath: BundlePath.parent(path), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    } catch {
      throw .unwritable(
        path: path, reason: "\(cause(of: error, at: path)), or leave --write out to have the text on standard output")
    }
  }

  /// What keeps a file from being made, and what to do about it.
  private static func cause(of error: any Error, at path: String) -> String {
    var folder = BundlePath.parent(path)
    var isFolder: ObjCBool = false
    while !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), BundlePath.parent(folder) != folder {
      folder = BundlePath.parent(folder)
    }
    guard isFolder.boolValue else { return "“\(folder)” is no folder; give that file another name" }
    let word = ShellWord(path: folder).text
    guard FileManager.default.isWritableFile(atPath: folder) else {
      let name = folder == "." ? "this folder" : "the folder “\(folder)”"
      return "\(name) may not be written to; let it be written with: chmod u+w \(word)"
    }
    let reason = error.localizedDescription
    let cause = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    guard (error as? CocoaError)?.code == .fileWriteOutOfSpace else { return cause }
    return "\(cause); see if there is room with: df -h \(word)"
  }
}
