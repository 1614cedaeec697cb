public import Foundation
public import ModelDescription

/// A model of photos with external data.
public enum PhotoAlbum {
  /// The model.
  public static let model = ManagedObjectModel {
    Entity("Photo") {
      Attribute("number", .integer64)
      Attribute("data", .binary).allowsExternalBinaryDataStorage()
    }
  }

  /// Data that no row has room for.
  ///
  /// - Parameter number: what every byte of it shows.
  /// - Returns: 200 KiB.
  public static func data(_ number: Int) -> Data {
    Data(repeating: UInt8(truncatingIfNeeded: number), count: 200 * 1024)
  }
}
