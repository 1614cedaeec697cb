import Foundation

/// The bundles, mapping models and lock files below a folder, found in one walk.
///
/// Hidden folders (`.git`, `.build`) and what git ignores (`DerivedData`, `Pods` where they are not committed) are left
/// out. A link to a bundle is a bundle, unless what it leads to is found by itself; other links to folders are not
/// followed, so that no walk goes in circles.
public struct ProjectFiles: Hashable, Sendable {
  /// The most folders that are looked into.
  static let folderLimit = 100_000

  /// The paths of the model bundles, usable or not, sorted; a bundle inside a bundle belongs to that one.
  public internal(set) var bundles: [String] = []
  /// The paths of the mapping models, sorted: `.xcmappingmodel`, `.cdm`, and `Migrations/<Bundle>/*.xml`.
  public internal(set) var mappings: [String] = []
  /// The paths of what is named like a lock file, sorted.
  public internal(set) var locks: [String] = []

  /// True when there are more folders than are looked into.
  public internal(set) var isCutOff = false
  /// The folders below the start that are repositories of git, such as submodules: projects of their own.
  var repositories: [String] = []

  /// How the name of a lock file ends.
  public static let lockSuffix = ".lock.json"

  /// The path of the lock file that belongs to a bundle, whether it is there or not; of a link to a bundle, that bundle's.
  package static func lock(besideBundleAt path: String) -> String { lock(namedAfter: BundleLink.target(of: path)) }

  /// The path beside a bundle's with the name of its lock file; links are not followed.
  static func lock(namedAfter path: String) -> String {
    let trimmed = BundlePath.trimmed(path)
    return trimmed.dropLast(BundlePath.pathExtension(trimmed).count + 1) + lockSuffix
  }

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
    var links: [String] = []
    var open = [""]
    var visited = 0
    while visited < folderLimit, let next = open.popLast() {
      visited += 1
      let place = next.isEmpty ? start : BundlePath.joined(start, next)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
      if !next.isEmpty, names.contains(".git") { files.repositories.append(start == "." ? next : place) }
      for name in names where !name.hasPrefix(".") {
        let inner = next.isEmpty ? name : "\(next)/\(name)"
        guard !ignored.contains(inner) else { continue }
        let path = start == "." ? inner : BundlePath.joined(start, inner)
        if isBundleLink(path) {
          links.append(path)
        } else if files.take(path, named: name), isFolder(path) {
          open.append(inner)
        }
      }
    }
    files.isCutOff = !open.isEmpty
    files.bundles += leadingElsewhere(links, than: files.bundles)
    files.bundles = VersionOrder.sorted(files.bundles)
    files.mappings = VersionOrder.sorted(files.mappings)
    files.locks = VersionOrder.sorted(files.locks)
    return files
  }

  /// True for a link to the folder of a bundle.
  private static func isBundleLink(_ path: String) -> Bool {
    guard let form = ModelBundle.Form(ofPath: path), form != .compiledSingle, BundleLink.isLink(path) else {
      return false
    }
    return RealPath.existing(path).map { isFolder($0) && ModelBundle.Form(ofPath: $0) != nil } ?? false
  }

  /// The links to bundles that were not found by themselves, one a bundle; the first by name where there are several.
  private static func leadingElsewhere(_ links: [String], than bundles: [String]) -> [String] {
    guard !links.isEmpty else { return [] }
    var seen = Set(bundles.map(RealPath.of))
    return VersionOrder.sorted(links).filter { link in
      let target = RealPath.of(link)
      return !isInside(target, seen) && seen.insert(target).inserted
    }
  }

  /// True for a path below one of others.
  private static func isInside(_ path: String, _ folders: Set<String>) -> Bool {
    var parent = BundlePath.parent(path)
    while parent != "/" {
      if folders.contains(parent) { return true }
      parent = BundlePath.parent(parent)
    }
    return false
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
      isCutOff: isCutOff, repositories: repositories.map(transform))
  }

  /// The same without the paths that are left out.
  func excluding(_ excludes: (String) -> Bool) -> ProjectFiles {
    ProjectFiles(
      bundles: bundles.filter { !excludes($0) }, mappings: mappings.filter { !excludes($0) },
      locks: locks.filter { !excludes($0) }, isCutOff: isCutOff, repositories: repositories)
  }

  /// The mapping models that are in no repository below the start.
  var ownMappings: [String] { mappings.filter { !isInRepository($0) } }

  /// The bundles that are in a repository below the start.
  var foreignBundles: [String] { bundles.filter(isInRepository) }

  private func isInRepository(_ path: String) -> Bool { repositories.contains { path.hasPrefix($0 + "/") } }

  /// True for a folder, false for a link to one.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}

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
