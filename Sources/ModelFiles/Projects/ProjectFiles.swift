import Foundation

/// The bundles, mapping models and lock files below a folder, found in one walk.
///
/// Hidden folders (`.git`, `.build`) and what git ignores (`DerivedData`, `Pods` where they are not committed) are left
/// out. Links to folders are not followed.
public struct ProjectFiles: Hashable, Sendable {
  /// The deepest folder below the start that is looked into.
  static let depthLimit = 16
  /// The most folders that are looked into.
  static let folderLimit = 100_000

  /// The paths of the model bundles, usable or not, sorted; a bundle inside a bundle belongs to that one.
  public internal(set) var bundles: [String] = []
  /// The paths of the mapping models, sorted: `.xcmappingmodel`, `.cdm`, and `Migrations/<Bundle>/*.xml`.
  public internal(set) var mappings: [String] = []
  /// The paths of what is named like a lock file, sorted.
  public internal(set) var locks: [String] = []

  /// The folders below the start that are repositories of git, such as submodules: projects of their own.
  var repositories: [String] = []

  /// How the name of a lock file ends.
  public static let lockSuffix = ".lock.json"

  /// Walks through a folder.
  ///
  /// - Parameter folder: the folder; it may be a bundle, which then is the only one.
  /// - Returns: what was found; each path begins with the folder's, unless that is the current one.
  public static func found(under folder: String) -> ProjectFiles {
    let start = BundlePath.trimmed(folder.isEmpty ? "." : folder)
    guard ModelBundle.Form(rawValue: BundlePath.pathExtension(start)) == nil else {
      return ProjectFiles(bundles: [start])
    }
    let ignored = IgnoredPaths.found(under: start)
    var files = ProjectFiles()
    var open: [(path: String, depth: Int)] = [("", 0)]
    var visited = 0
    while let next = open.popLast(), visited < folderLimit {
      visited += 1
      let place = next.path.isEmpty ? start : BundlePath.joined(start, next.path)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      if !next.path.isEmpty, names.contains(".git") { files.repositories.append(start == "." ? next.path : place) }
      for name in names where !name.hasPrefix(".") {
        let inner = next.path.isEmpty ? name : "\(next.path)/\(name)"
        guard !ignored.contains(inner) else { continue }
        let path = start == "." ? inner : BundlePath.joined(start, inner)
        if files.take(path, named: name), next.depth < depthLimit, isFolder(path) {
          open.append((inner, next.depth + 1))
        }
      }
    }
    files.bundles = VersionOrder.sorted(files.bundles)
    files.mappings = VersionOrder.sorted(files.mappings)
    files.locks = VersionOrder.sorted(files.locks)
    return files
  }

  /// Takes what a path shows it to be.
  ///
  /// - Returns: true where the path may be a folder to look into.
  private mutating func take(_ path: String, named name: String) -> Bool {
    if let form = ModelBundle.Form(rawValue: BundlePath.pathExtension(name)) {
      if form == .compiledSingle || Self.isFolder(path) { bundles.append(path) }
      return false
    }
    switch MappingPath.form(of: name) {
    case .xcode? where name != "xcmapping.xml", .compiled?: mappings.append(path)
    case .document? where MappingPath.bundleName(of: "./" + path) != nil: mappings.append(path)
    case nil where name.hasSuffix(Self.lockSuffix): locks.append(path)
    case nil: return true
    default: break
    }
    return false
  }

  /// The same with every path changed.
  func mapPaths(_ transform: (String) -> String) -> ProjectFiles {
    ProjectFiles(
      bundles: bundles.map(transform), mappings: mappings.map(transform), locks: locks.map(transform),
      repositories: repositories.map(transform))
  }

  /// The same without the paths that are left out.
  func excluding(_ excludes: (String) -> Bool) -> ProjectFiles {
    ProjectFiles(
      bundles: bundles.filter { !excludes($0) }, mappings: mappings.filter { !excludes($0) },
      locks: locks.filter { !excludes($0) }, repositories: repositories)
  }

  /// The mapping models that are in no repository below the start.
  var ownMappings: [String] {
    repositories.isEmpty
      ? mappings : mappings.filter { path in !repositories.contains { path.hasPrefix($0 + "/") } }
  }

  /// True for a folder, false for a link to one.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
