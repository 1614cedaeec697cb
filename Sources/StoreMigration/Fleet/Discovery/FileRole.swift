import Foundation

/// What a file beside stores is by its name.
enum FileRole: Hashable {
  /// A copy that a crash left behind, of the store at this path.
  case leftover(of: String)
  /// An original that a migration kept, or somebody else's backup.
  case backup
  /// What SQLite keeps beside a database.
  case companion
  case ordinary

  /// Judges by the name.
  init(path: String) {
    let slash = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let (folder, name) = (path[..<slash], path[slash...])
    if let store = Self.store(ofCopy: name) {
      self = .leftover(of: "\(folder)\(store)")
    } else if Self.isBackup(name) {
      self = .backup
    } else if ["-wal", "-shm", "-journal"].contains(where: name.hasSuffix) {
      self = .companion
    } else {
      self = .ordinary
    }
  }

  /// The longest name of a store that stands whole in those of its copies.
  static let longestNameInCopies = 200

  /// The name of the store that a file is a copy of by its own name, `.NAME.modelctl-` and hexadecimal digits.
  private static func store(ofCopy name: Substring) -> Substring? {
    guard name.first == ".", let mark = name.range(of: ".modelctl-", options: .backwards) else { return nil }
    let store = name[..<mark.lowerBound].dropFirst()
    let rest = name[mark.upperBound...]
    let number = rest.prefix { $0.isHexDigit && !$0.isUppercase }
    guard !store.isEmpty, (1...16).contains(number.utf8.count),
      ["", "-wal", "-shm", "-journal"].contains(rest[number.endIndex...])
    else { return nil }
    return store
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
  static func isBeside(_ path: String) -> Bool { (FileStamp("\(path)-wal")?.size ?? 0) > 0 }
}
