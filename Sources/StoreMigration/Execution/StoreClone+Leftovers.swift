import Foundation

extension StoreClone {
  /// How the name of every copy of a store begins; a hexadecimal number follows.
  static func prefix(ofStore name: String) -> String { ".\(name).modelctl-" }

  /// Removes the copies of a store that a crash left behind.
  ///
  /// The caller holds the store, so that no other process is migrating it and none of its copies is in use.
  ///
  /// - Parameter store: the real path of the store's file.
  static func removeLeftovers(of store: String) {
    let file = URL(fileURLWithPath: store)
    let folder = file.deletingLastPathComponent()
    let prefix = prefix(ofStore: file.lastPathComponent)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(prefix) && isCopy(name.dropFirst(prefix.count)) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }

  private static func isCopy(_ rest: Substring) -> Bool {
    let number = rest.prefix { $0 != "-" }
    let suffix = rest.dropFirst(number.count)
    return (1...8).contains(number.count) && number.allSatisfy { $0.isHexDigit && !$0.isUppercase }
      && ["", "-wal", "-shm", "-journal"].contains(suffix)
  }
}
