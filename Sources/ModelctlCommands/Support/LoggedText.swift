import Foundation
import ModelKit

/// The text of an error with which Core Data did not open a store, in a file or on standard input.
enum LoggedText {
  /// True for a file of text with version hashes, which is no store of any kind.
  static func isOne(_ path: String) -> Bool {
    guard
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
      attributes[.type] as? FileAttributeType == .typeRegular, StoreKinds.kind(ofFile: path) == nil,
      let text = try? read(path)
    else { return false }
    return !text.hasPrefix("SQLite format 3") && LoggedHashes(in: text) != nil
  }

  /// Identifies the version whose hashes a text has.
  ///
  /// - Throws: `LoggedHashesError`, and Foundation's error where the text cannot be read.
  static func identify(_ path: String, in workspace: LoadedWorkspace) throws -> StoreIdentification {
    guard let log = LoggedHashes(in: try read(path)) else { throw LoggedHashesError.none(path: path) }
    guard let hashes = log.hashes(among: workspace.versions) else { throw LoggedHashesError.unknownDigest(path: path) }
    let metadata = StoreMetadata(uuid: "", versionHashes: hashes, identifiers: [])
    return StoreIdentification(
      of: metadata, cachedModel: .absent, among: workspace.versions, mergesBundles: workspace.mergesBundles)
  }

  private static func read(_ path: String) throws -> String {
    let handle =
      path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { if path != "-" { try? handle.close() } }
    var data = Data()
    while data.count < LoggedHashes.limit, let part = try handle.read(upToCount: LoggedHashes.limit - data.count),
      !part.isEmpty
    {
      data += part
    }
    return String(decoding: data, as: UTF8.self)
  }
}
