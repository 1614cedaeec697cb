import Foundation

/// Links to bundles and to versions in bundles; a link is treated as its destination.
package enum BundleLink {
  /// The nearest link that a path leads through, the path itself included; nil if there is none.
  package static func first(on path: String) -> String? {
    var folder = path
    while !["", ".", "/"].contains(folder) {
      if isLink(folder) { return folder }
      folder = BundlePath.parent(folder)
    }
    return nil
  }

  /// Follows a path that is a link to a bundle.
  ///
  /// - Parameter path: a path, which need not exist.
  /// - Returns: where the link leads, absolute where its path is, otherwise from where the program runs; of any other
  ///   path the path itself, without a slash at the end.
  static func target(of path: String) -> String {
    let trimmed = BundlePath.trimmed(path)
    guard isLink(trimmed), let target = RealPath.existing(trimmed), ModelBundle.Form(ofPath: target) != nil else {
      return trimmed
    }
    return spelled(target, like: path)
  }

  /// Follows a link to the folder of a version in a bundle.
  ///
  /// - Parameter path: a path, which need not exist.
  /// - Returns: as ``target(of:)``.
  package static func version(of path: String) -> String {
    let trimmed = BundlePath.trimmed(path)
    guard !isInBundle(trimmed), let target = RealPath.existing(trimmed), isInBundle(target) else { return trimmed }
    return spelled(target, like: path)
  }

  /// Follows a path that is a link to the file of a version in a bundle.
  ///
  /// - Returns: as ``target(of:)``.
  static func file(of path: String) -> String {
    guard isLink(path), !isInBundle(BundlePath.parent(path)), let target = RealPath.existing(path),
      isInBundle(BundlePath.parent(target))
    else { return path }
    return spelled(target, like: path)
  }

  /// The bundle that contains the folder of a version, also if the path is a link to the folder.
  ///
  /// - Parameter path: a path, which need not exist.
  /// - Returns: the path of the bundle, which ends in the bundle's name; nil for any other path.
  package static func bundle(around path: String) -> String? {
    let version = version(of: path)
    guard !isInBundle(version) else { return BundlePath.parent(version) }
    // The program may run in the bundle.
    guard let target = RealPath.existing(version), isInBundle(target) else { return nil }
    let bundle = BundlePath.parent(target)
    let folder = AbsolutePath.relative(AbsolutePath.components(BundlePath.parent(bundle)))
    return folder == "." ? BundlePath.lastComponent(bundle) : "\(folder)/\(BundlePath.lastComponent(bundle))"
  }

  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func isInBundle(_ path: String) -> Bool {
    BundlePath.pathExtension(path).lowercased() == ModelBundle.Form.single.rawValue
      && BundlePath.pathExtension(BundlePath.parent(path)).lowercased() == ModelBundle.Form.versioned.rawValue
  }

  /// An absolute path in the form of a different path: absolute, or relative to the current folder.
  private static func spelled(_ target: String, like path: String) -> String {
    path.hasPrefix("/") ? target : AbsolutePath.relative(AbsolutePath.components(target))
  }
}
