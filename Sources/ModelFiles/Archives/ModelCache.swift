public import Foundation
public import ModelDescription

/// The model that Core Data keeps inside a store, in `Z_MODELCACHE`.
public enum ModelCache {
  /// Decodes the content of the table's only row.
  ///
  /// - Parameters:
  ///   - deflated: `Z_CONTENT`: a compiled model in raw DEFLATE, without a zlib header.
  ///   - path: the store's path, for errors.
  /// - Returns: the model the store was last written with.
  /// - Throws: ``ModelFileError``.
  public static func decode(_ deflated: Data, path: String = "Z_MODELCACHE") throws(ModelFileError)
    -> ManagedObjectModel
  {
    let archive: Data
    do {
      archive = try RawDeflate.inflate(deflated, limit: FileBytes.limit)
    } catch {
      switch error {
      case .broken: throw .brokenArchive(path: path, reason: "the cached model is not DEFLATE data")
      case .tooLarge: throw .tooLarge(path: path, what: "the size of its cached model", limit: FileBytes.limit)
      }
    }
    return try CompiledModelReader.read(archive, path: path).model
  }
}
