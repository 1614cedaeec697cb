public import Foundation
import ModelDescription

/// A version whose file gets its released bytes back; ``write()`` writes them.
public struct RestoredVersion: Sendable {
  /// The bundle.
  public let bundle: ModelBundle
  /// The version, which is not the current one.
  public let version: ModelVersion
  /// The present bytes of its file.
  public let edited: Data
  /// The released bytes of its file.
  public let contents: Data

  /// Plans the restoration.
  ///
  /// - Parameter contents: what its `contents` file was.
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
      throw .unwritable(path: version.filePath, reason: CommonWords.cause(of: error))
    }
  }
}

extension NewModelVersion.Restoration {
  /// Reads what a version was in a revision of git.
  ///
  /// - Parameter revision: the branch, tag or commit that shipped the version.
  /// - Returns: what the version gets back, without identifiers yet, and the model it was.
  /// - Throws: ``RevisionError``, ``NewVersionError`` and ``ModelFileError``.
  public static func read(
    _ revision: String, of version: ModelVersion
  ) throws -> (restoration: NewModelVersion.Restoration, old: ModelFile) {
    try RevisionTree.read(revision, paths: [version.path], usingMergeBase: false) { tree in
      let path = tree.path(of: version.filePath)
      guard FileManager.default.fileExists(atPath: path) else {
        throw NewVersionError.notInRevision(path: version.filePath, revision: revision)
      }
      let data = try FileBytes.read(path)
      let name = "\(revision):\(version.filePath)"
      let old =
        version.form == .contents
        ? try ContentsReader.read(data, path: name) : try ElementsReader.read(data, path: name)
      return (.init(revision: revision, contents: data), old)
    }
  }
}
