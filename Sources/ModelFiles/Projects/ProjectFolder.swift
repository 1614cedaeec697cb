import Foundation

/// The folder of a project: the top of git's work tree; without git, the folder with the project's configuration;
/// without a configuration, the folder itself.
public struct ProjectFolder: Hashable, Sendable {
  /// The name of the file in which a project configures modelctl.
  public static let configurationName = ".modelctl.json"

  /// The path: absolute if the given path is, or relative to the current folder.
  public let path: String
  /// True for the top of the work tree of a git repository.
  package let isRepository: Bool
  /// False where neither git nor a configuration marks the folder.
  public let isMarked: Bool
  /// The components of the path from the root, links resolved.
  let components: [String]

  /// Finds the project folder that contains a path; a bundle is not a project.
  ///
  /// - Parameter path: a folder, or the path of a file or bundle, which need not exist.
  public static func enclosing(_ path: String) -> ProjectFolder {
    let start = AbsolutePath.components(ProjectFiles.isFolder(path) ? path : BundlePath.parent(path))
      .prefix { ModelBundle.Form(rawValue: BundlePath.pathExtension($0)) == nil }.map(\.self)
    var configured: [String]?
    var components = start
    repeat {
      if exists(".git", in: components) {
        return ProjectFolder(components, from: path, isMarked: true, isRepository: true)
      }
      if configured == nil, exists(configurationName, in: components) { configured = components }
    } while components.popLast() != nil
    return ProjectFolder(configured ?? start, from: path, isMarked: configured != nil)
  }

  /// A folder of no project, whatever marks it or a folder around it.
  package static func unmarked(_ path: String) -> ProjectFolder {
    ProjectFolder(AbsolutePath.components(path), from: path, isMarked: false)
  }

  private init(_ components: [String], from path: String, isMarked: Bool, isRepository: Bool = false) {
    (self.components, self.isMarked, self.isRepository) = (components, isMarked, isRepository)
    self.path = path.hasPrefix("/") ? Self.ancestor(of: path, at: components) : AbsolutePath.relative(components)
  }

  /// The ancestor of an absolute path, as the path names it if no link is in between.
  private static func ancestor(of path: String, at components: [String]) -> String {
    var ancestor = (path as NSString).standardizingPath
    while ancestor != "/" {
      if AbsolutePath.components(ancestor) == components { return ancestor }
      ancestor = BundlePath.parent(ancestor)
    }
    return "/" + components.joined(separator: "/")
  }

  /// The path relative to this folder; for a path outside of it, the last two names.
  public func innerPath(_ path: String) -> String {
    let names = AbsolutePath.components(path)
    return (contains(path) ? Array(names.dropFirst(components.count)) : names.suffix(2)).joined(separator: "/")
  }

  /// True for the same folder, wherever the paths that led to it began.
  package func isSame(as other: ProjectFolder) -> Bool { components == other.components }

  func contains(_ path: String) -> Bool { AbsolutePath.components(path).starts(with: components) }

  /// The components of the top of git's work tree around a folder, found without running git; nil outside a work tree.
  static func workTree(around folder: String) -> [String]? {
    var components = AbsolutePath.components(folder)
    repeat {
      if exists(".git", in: components) { return components }
    } while components.popLast() != nil
    return nil
  }

  private static func exists(_ name: String, in components: [String]) -> Bool {
    FileManager.default.fileExists(atPath: "/" + (components + [name]).joined(separator: "/"))
  }
}
