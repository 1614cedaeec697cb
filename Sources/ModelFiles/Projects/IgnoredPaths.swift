import Foundation

/// What git ignores below a folder.
struct IgnoredPaths {
  /// The paths from the folder; of a folder that is ignored as a whole its own alone.
  private let paths: Set<String>

  /// Asks git, where the folder lies in a work tree.
  ///
  /// Git lists what it does not track and its ignore rules name, so a file that was committed all the same is not
  /// ignored. Where git cannot answer nothing is.
  ///
  /// - Parameter folder: the folder.
  /// - Returns: nothing outside a work tree, and in a folder that is ignored itself.
  static func found(under folder: String) -> IgnoredPaths {
    guard ProjectFolder.isInWorkTree(folder),
      let answer = try? GitCommand(folder: folder).run(
        ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"]), answer.isSuccess
    else { return IgnoredPaths(paths: []) }
    let paths = answer.output.split(separator: 0).map { BundlePath.trimmed(String(decoding: $0, as: UTF8.self)) }
    return IgnoredPaths(paths: Set(paths))
  }

  func contains(_ path: String) -> Bool { paths.contains(path) }
}
