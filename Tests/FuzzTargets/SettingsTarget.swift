import Foundation
import ModelChecks

/// The two files of JSON that a project keeps.
enum SettingsTarget {
  static func run(_ data: Data) throws {
    try FuzzFolder.with { folder in
      let path = folder + "/Orders.lock.json"
      try data.write(to: URL(fileURLWithPath: path))
      do {
        _ = try CheckConfiguration(contentsOf: path)
      } catch {
        _ = "\(error)"
      }
      let lock = try LockFile(contentsOf: path)
      let text = lock.text
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      do {
        try FuzzFinding.expect(try LockFile(contentsOf: path).text == text, "a lock file that is read is another")
      } catch let error as FuzzFinding {
        throw error
      } catch {
        throw FuzzFinding("a lock file that is written cannot be read: \(error)")
      }
    }
  }
}
