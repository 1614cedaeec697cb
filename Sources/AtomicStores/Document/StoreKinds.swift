import Foundation

/// The kinds of stores that are read as a whole, and which of them a file is of.
public enum StoreKinds {
  /// How many bytes of a file are looked at.
  private static let startSize = 4096

  /// The kinds that need no app.
  public static let builtIn: [any StoreKind] = [JSONStoreKind(), XMLStoreKind(), BinaryStoreKind()]

  /// Finds the kind of a file by its first bytes.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - kinds: the kinds that are asked, the first one first.
  /// - Returns: the kind; nil for an SQLite store, for any other file and for one that cannot be read.
  public static func kind(ofFile path: String, among kinds: [any StoreKind] = builtIn) -> (any StoreKind)? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
      attributes[.type] as? FileAttributeType == .typeRegular, let handle = FileHandle(forReadingAtPath: path)
    else { return nil }
    defer { try? handle.close() }
    guard let start = try? handle.read(upToCount: startSize) else { return nil }
    return kinds.first { $0.recognizes(start) }
  }
}
