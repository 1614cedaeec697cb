import Foundation
import ModelDescription

extension NewModelVersion.Restoration {
  /// Reads what a version was in a revision of git.
  ///
  /// - Parameters:
  ///   - revision: the branch, tag or commit that shipped the version.
  ///   - version: the version.
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
