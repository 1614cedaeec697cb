package import Foundation

/// Puts bytes in the place of a file's, at once or not at all.
package enum FileReplacement {
  /// Why a file is left as it is.
  package enum Refusal: Error, Hashable {
    /// Its bytes are others than those that the new ones were made of.
    case changed
  }

  /// Writes a file that was read before, as ``write(_:to:)`` does, unless somebody else has changed it since.
  ///
  /// - Parameters:
  ///   - data: the new bytes.
  ///   - path: the file.
  ///   - oldData: the bytes that were read.
  /// - Throws: ``Refusal/changed``, or Foundation's error.
  package static func write(_ data: Data, to path: String, inPlaceOf oldData: Data) throws {
    guard try Data(contentsOf: URL(fileURLWithPath: RealPath.of(path))) == oldData else { throw Refusal.changed }
    try write(data, to: path)
  }

  /// Writes a file: a link is followed, and the mode and the owner of a file that was there stay.
  ///
  /// What is no file, such as a device or a pipe, is written to and stays what it is.
  ///
  /// - Parameters:
  ///   - data: the new bytes.
  ///   - path: the file.
  /// - Throws: Foundation's error.
  package static func write(_ data: Data, to path: String) throws {
    let place = RealPath.of(path)
    let file = URL(fileURLWithPath: place)
    guard let oldAttributes = try? FileManager.default.attributesOfItem(atPath: place) else {
      return try data.write(to: file, options: .atomic)
    }
    guard oldAttributes[.type] as? FileAttributeType == .typeRegular else {
      let handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: data)
      return try handle.close()
    }
    try data.write(to: file, options: .atomic)
    let owner = oldAttributes.filter { $0.key == .ownerAccountID || $0.key == .groupOwnerAccountID }
    // Only a superuser can give files away, and nobody else has another's to write.
    try? FileManager.default.setAttributes(owner, ofItemAtPath: place)
    guard let mode = oldAttributes[.posixPermissions] else { return }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
  }
}
