import Foundation

/// Links to bundles, each of which is the bundle that it leads to.
enum BundleLink {
  /// Follows a path that is a link to a bundle.
  ///
  /// - Parameter path: a path, which need not exist.
  /// - Returns: where the link leads, absolute where its path is, otherwise from where the program runs; of any other path
  ///   the path itself, without a slash at the end.
  static func target(of path: String) -> String {
    let trimmed = BundlePath.trimmed(path)
    guard isLink(trimmed), let target = RealPath.existing(trimmed), ModelBundle.Form(ofPath: target) != nil else {
      return trimmed
    }
    return path.hasPrefix("/") ? target : AbsolutePath.relative(AbsolutePath.components(target))
  }

  /// True for a link, wherever it leads.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }
}
