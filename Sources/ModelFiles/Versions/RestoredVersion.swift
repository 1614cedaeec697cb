public import Foundation

/// A version whose file gets back what it was when stores were written with it; nothing is written until ``write()``.
public struct RestoredVersion: Sendable {
  /// The bundle.
  public let bundle: ModelBundle
  /// The version, which is not the current one.
  public let version: ModelVersion
  /// What its file is now.
  public let edited: Data
  /// What its file was.
  public let contents: Data

  /// Plans the restoration.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - contents: what its `contents` file was.
  ///   - bundle: its bundle.
  /// - Returns: the version and what it gets back.
  /// - Throws: ``NewVersionError`` when the file cannot be read.
  public static func plan(
    _ version: ModelVersion, to contents: Data, in bundle: ModelBundle
  ) throws(NewVersionError) -> RestoredVersion {
    do throws(ModelFileError) {
      let edited = try FileBytes.read(version.filePath)
      return RestoredVersion(bundle: bundle, version: version, edited: edited, contents: contents)
    } catch {
      throw .model(error)
    }
  }

  /// Writes the file, at once or not at all.
  ///
  /// - Throws: ``NewVersionError``; then the file is as it was.
  public func write() throws(NewVersionError) {
    do {
      try FileReplacement.write(contents, to: version.filePath, inPlaceOf: edited)
    } catch {
      let reason = error is FileReplacement.Refusal ? "it changed meanwhile" : (error as NSError).localizedDescription
      throw .unwritable(path: version.filePath, reason: reason)
    }
  }
}
