import Foundation
import PersistentStores
import StoreMigration

/// What a file beside stores is by its name.
enum FileRole: Hashable {
  /// A copy that a crash left behind, of the store at this path.
  case leftover(of: String)
  /// An original that a migration kept, or somebody else's backup.
  case backup
  /// What SQLite keeps beside a database.
  case companion
  /// What somebody is writing, or was when it was killed: a store of another kind than SQLite, or the folder of a new store.
  case unfinished
  case ordinary

  /// Judges by the name.
  init(path: String) {
    let slash = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let (folder, name) = (path[..<slash], path[slash...])
    if let store = CloneName.storeName(ofCopy: name) {
      self = .leftover(of: "\(folder)\(store)")
    } else if Self.isBackup(name) {
      self = .backup
    } else if ["-wal", "-shm", "-journal"].contains(where: name.hasSuffix) {
      self = .companion
    } else if name.hasPrefix("."), name.hasSuffix(".partial") {
      self = .unfinished
    } else {
      self = .ordinary
    }
  }

  private static func isBackup(_ name: Substring) -> Bool {
    guard let range = name.range(of: ".backup", options: .backwards) else { return false }
    let rest = name[range.upperBound...]
    return rest.isEmpty || rest.first == "-" && rest.count > 1 && rest.dropFirst().allSatisfy(\.isNumber)
  }
}

/// The write-ahead log beside a store.
enum StoreLog {
  /// True when there is one with something in it, so that the store's own file does not tell whether it has changed.
  static func isBeside(_ path: String) -> Bool { (FileStatus("\(path)-wal")?.size ?? 0) > 0 }
}
