import Foundation
import ModelChecks
import ModelFiles

extension ProjectSetup {
  /// Writes what is missing: the files, then the lock files, then git's configuration.
  ///
  /// Where one of them cannot be written, the files made before are taken away again.
  ///
  /// - Throws: ``SetupError/unwritable(path:reason:)``, `LockError` and `RevisionError`.
  public func write() throws {
    for recording in recordings { try recording.checkWritable() }
    var written = WrittenFiles()
    do {
      for file in files where file.state == .new { try written.make(file) }
      for file in files where file.state == .changed { try written.change(file) }
      // Lock files that were there before grow; what was recorded stays true whatever happens after it.
      for recording in recordings {
        let isThere = FileManager.default.fileExists(atPath: recording.lock.path)
        try recording.write()
        if !isThere { written.note(recording.lock.path) }
      }
      try set(settings.filter { $0.state == .new })
    } catch {
      written.remove()
      throw error
    }
  }

  private func set(_ settings: [SetupSetting]) throws {
    var done: [String] = []
    do {
      for setting in settings {
        try workTree?.set(setting.key, to: setting.value)
        done.append(setting.key)
      }
    } catch {
      for key in done { try? workTree?.set(key, to: nil) }
      throw error
    }
  }
}

/// Files and folders that a run made, which it can take away again.
private struct WrittenFiles {
  private var paths: [String] = []
  private var previous: [(path: String, text: String)] = []

  /// Makes a file with the folders on its way; one that is there by now is not replaced.
  mutating func make(_ file: SetupFile) throws(SetupError) {
    do {
      try makeFolder(BundlePath.parent(file.path))
      try Data(file.content.utf8).write(to: URL(fileURLWithPath: file.path), options: .withoutOverwriting)
      paths.append(file.path)
    } catch {
      throw .unwritable(path: file.path, reason: error.localizedDescription)
    }
  }

  /// Puts the new text of a file in the place of the one that was shown; a file that is another by now stays.
  mutating func change(_ file: SetupFile) throws(SetupError) {
    let url = URL(fileURLWithPath: file.path)
    do {
      guard let text = file.previous, try Data(contentsOf: url) == Data(text.utf8) else {
        throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: "it was changed meanwhile"])
      }
      try Data(file.content.utf8).write(to: url, options: .atomic)
      previous.append((file.path, text))
    } catch {
      throw .unwritable(path: file.path, reason: error.localizedDescription)
    }
  }

  mutating func note(_ path: String) { if FileManager.default.fileExists(atPath: path) { paths.append(path) } }

  /// Takes away what was made, the last first; of a folder only what is empty.
  func remove() {
    for (path, text) in previous { try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic) }
    for path in paths.reversed() {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
      if isFolder.boolValue, (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty != true { continue }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  private mutating func makeFolder(_ path: String) throws {
    let folder = path.isEmpty ? "." : path
    guard !FileManager.default.fileExists(atPath: folder) else { return }
    try makeFolder(BundlePath.parent(folder))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    paths.append(folder)
  }
}
