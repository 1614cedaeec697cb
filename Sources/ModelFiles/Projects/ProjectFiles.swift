import Foundation

/// The bundles, mapping models, lock files and exports of CloudKit's schemas below a folder.
///
/// Hidden folders (`.git`, `.build`) and files that git ignores (`DerivedData`, `Pods` if not committed) are excluded.
/// A link to a bundle is a bundle, unless its destination is found too. Other links to folders are not
/// followed, so that the search cannot run in circles.
public struct ProjectFiles: Hashable, Sendable {
  /// The maximum number of searched folders.
  static let folderLimit = 100_000

  /// The paths of the model bundles, usable or not, sorted; a bundle inside a bundle belongs to that one.
  public internal(set) var bundles: [String] = []
  /// The paths of the mapping models, sorted: `.xcmappingmodel`, `.cdm`, and `Migrations/<Bundle>/*.xml`.
  public internal(set) var mappings: [String] = []
  /// The paths of what is named like a lock file, sorted.
  public internal(set) var locks: [String] = []
  /// The paths of the exports of CloudKit's schemas (`.ckdb`), sorted.
  public internal(set) var exports: [String] = []

  /// True if the project has more folders than the limit.
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

  /// Looks through a folder.
  ///
  /// - Parameter folder: the folder; it may be a bundle, which then is the only one.
  /// - Returns: what was found; each path begins with the folder's, unless that is the current one.
  public static func found(under folder: String) -> ProjectFiles { found(under: folder, cache: nil) }

  /// The same, with a folder in which what was seen is kept for the next time.
  static func found(under folder: String, cache: String?) -> ProjectFiles {
    let start = BundlePath.trimmed(folder.isEmpty ? "." : folder)
    guard ModelBundle.Form(rawValue: BundlePath.pathExtension(start)) == nil else {
      return ProjectFiles(bundles: [start])
    }
    var walk = ProjectWalk(cache: cache)
    walk.add(start)
    return walk.files()
  }

  /// The possible role of a file or folder by its name.
  enum Role: Hashable {
    case bundle(ModelBundle.Form)
    case mapping
    /// A mapping file, if its folder is one for mapping files.
    case mappingFile
    case lock
    case export
    /// A file or folder that is of no interest, whatever is in it.
    case nothing
    /// No role; a folder may contain files with a role.
    case other

    init(ofName name: String) {
      if let form = ModelBundle.Form(rawValue: BundlePath.pathExtension(name)) {
        self = .bundle(form)
        return
      }
      self =
        switch MappingPath.form(of: name) {
        case .xcode? where name != "xcmapping.xml", .compiled?: .mapping
        case .document?: .mappingFile
        case nil where name.hasSuffix(ProjectFiles.lockSuffix): .lock
        case nil where BundlePath.pathExtension(name) == "ckdb": .export
        case nil: .other
        default: .nothing
        }
    }

    /// The role by the bytes of a name.
    init(of name: UnsafeRawBufferPointer) {
      self = Self.mayMatter(name) ? Role(ofName: String(decoding: name, as: UTF8.self)) : .other
    }

    private static let ends: [[UInt8]] = [
      ".xcdatamodeld", ".xcdatamodel", ".momd", ".mom", ".xcmappingmodel", ".cdm", ".xml", ".ckdb",
      ProjectFiles.lockSuffix,
    ].map { Array($0.utf8) }

    /// True for every name whose role is another than `other`, and for few besides.
    private static func mayMatter(_ name: UnsafeRawBufferPointer) -> Bool {
      let lowercase: UInt8 = 0x20
      guard let last = name.last.map({ $0 | lowercase }), (0x62...0x6E).contains(last) else { return false }
      return ends.contains { end in
        guard end.last == last, end.count <= name.count else { return false }
        return zip(end, name.suffix(end.count)).allSatisfy { $0 == $1 | lowercase }
      }
    }
  }

  func mapPaths(_ transform: (String) -> String) -> ProjectFiles {
    ProjectFiles(
      bundles: bundles.map(transform), mappings: mappings.map(transform), locks: locks.map(transform),
      exports: exports.map(transform), isCutOff: isCutOff, repositories: repositories.map(transform))
  }

  /// The same without the paths that are left out.
  func excluding(_ excludes: (String) -> Bool) -> ProjectFiles {
    ProjectFiles(
      bundles: bundles.filter { !excludes($0) }, mappings: mappings.filter { !excludes($0) },
      locks: locks.filter { !excludes($0) }, exports: exports.filter { !excludes($0) }, isCutOff: isCutOff,
      repositories: repositories)
  }

  /// The mapping models that are in no repository below the start.
  var ownMappings: [String] { mappings.filter { !isInRepository($0) } }

  var foreignBundles: [String] { bundles.filter(isInRepository) }

  private func isInRepository(_ path: String) -> Bool { repositories.contains { path.hasPrefix($0 + "/") } }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
