package import Foundation
import ModelFiles

/// Where a store keeps large binary values outside its file, and how its rows refer to them.
///
/// In stores that Core Data wrote such a value begins with 1 where the data follows, and with 2 where the name of a file does.
public enum ExternalData {
  /// The first byte of a value that lies in a file of its own.
  package static let marker: UInt8 = 2

  /// The folder of a store's external data, which need not exist: `.NAME_SUPPORT/_EXTERNAL_DATA` beside the store.
  ///
  /// - Parameter path: the store's file, or a symbolic link to it.
  /// - Returns: the folder's path: beside the link where it is there, else beside the file itself.
  public static func folder(ofStore path: String) -> String {
    let store = URL(fileURLWithPath: path)
    let besidePath = folder(beside: store)
    if FileManager.default.fileExists(atPath: besidePath) { return besidePath }
    return folder(beside: URL(fileURLWithPath: RealPath.of(path)))
  }

  private static func folder(beside store: URL) -> String {
    support(beside: store).appendingPathComponent("_EXTERNAL_DATA").path
  }

  /// The folder beside a store that has its external data: `.<name without extension>_SUPPORT`.
  package static func support(beside store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathComponent(
      ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
  }

  /// The name of the file that a value refers to.
  ///
  /// - Parameter value: the bytes in the row.
  /// - Returns: nil when the value is no reference: a 2, the text of a UUID and a 0.
  public static func fileName(in value: some Collection<UInt8>) -> String? {
    guard value.count == 38, value.first == marker else { return nil }
    let text = String(decoding: value.dropFirst().prefix(36), as: UTF8.self)
    return UUID(uuidString: text) == nil ? nil : text
  }
}
