import Foundation

/// Searches folders for the files of projects.
///
/// In a work tree, folders in git's index are searched directly. For other folders, git first reports whether it ignores
/// them. A repository in a repository is searched separately.
struct ProjectWalk {
  /// The folder in which listings are kept for the next time; nil for none.
  let cache: String?
  private var found = ProjectFiles()
  private var links: [String] = []
  private var visited = 0

  init(cache: String?) { self.cache = cache }

  func files() -> ProjectFiles {
    var files = found
    files.bundles += leadingElsewhere(links, than: found.bundles)
    files.bundles = VersionOrder.sorted(files.bundles)
    files.mappings = VersionOrder.sorted(files.mappings)
    files.locks = VersionOrder.sorted(files.locks)
    files.exports = VersionOrder.sorted(files.exports)
    return files
  }

  /// Looks through a folder.
  ///
  /// - Parameter start: the path of the folder, without a slash at the end.
  mutating func add(_ start: String) {
    let top = ProjectFolder.workTree(around: start)
    let tracked = top.map { TrackedPaths.read(below: start, in: $0) } ?? TrackedPaths()
    var ignores: ((_ paths: [String]) -> Set<String>)?
    // In a folder that is ignored itself nothing is.
    if top != nil, tracked.folders.count > 1 || !tracked.items.isEmpty || !Self.isIgnored(start) {
      ignores = { Self.ignored(of: $0, in: start) }
    }
    var inner: [String] = []
    var open: [Candidate] = []
    var isThere = [Bool](repeating: false, count: tracked.folders.count)
    let listings = FolderListing.read(tracked, in: start, cache: cache)
    if tracked.folders.count > ProjectFiles.folderLimit { found.isCutOff = true }
    for (position, listing) in listings.enumerated() {
      guard let listing, position == 0 || isThere[tracked.folders[position].parent] else { continue }
      let path = tracked.path(of: position)
      if position > 0, listing.isRepository {
        inner.append(path)
        continue
      }
      isThere[position] = true
      visited += 1
      for name in listing.names {
        let place = Candidate(path: path.isEmpty ? name.text : "\(path)/\(name.text)", name: name)
        if tracked.items.contains(place.path) { take(place, in: start) } else { open.append(place) }
      }
    }
    while !open.isEmpty {
      let ignored = ignores?(open.map(\.path)) ?? []
      let places = open.filter { !ignored.contains($0.path) }
      open = []
      places.filter { !$0.isPlainFolder }.forEach { take($0, in: start) }
      let folders = places.filter(\.isPlainFolder).prefix(max(0, ProjectFiles.folderLimit - visited))
      if folders.count < places.count(where: \.isPlainFolder) { found.isCutOff = true }
      visited += folders.count
      let listings = Array(folders).concurrentMap { FolderListing.read(BundlePath.joined(start, $0.path)) }
      for (folder, listing) in zip(folders, listings) {
        if listing.isRepository {
          inner.append(folder.path)
        } else {
          open += listing.names.map { Candidate(path: "\(folder.path)/\($0.text)", name: $0) }
        }
      }
    }
    for path in inner.map({ Self.path($0, in: start) }) {
      found.repositories.append(path)
      add(path)
    }
  }

  /// A file that may belong to the project, by its path from the start.
  private struct Candidate {
    let path: String
    let name: FolderListing.Name

    var isPlainFolder: Bool { name.kind == .folder && ProjectFiles.Role(ofName: name.text) == .other }
  }

  private static func path(_ inner: String, in start: String) -> String {
    start == "." ? inner : BundlePath.joined(start, inner)
  }

  private mutating func take(_ place: Candidate, in start: String) {
    let path = Self.path(place.path, in: start)
    switch ProjectFiles.Role(ofName: place.name.text) {
    case .bundle(.compiledSingle): found.bundles.append(path)
    case .bundle where place.name.kind == .folder: found.bundles.append(path)
    case .bundle where place.name.kind == .link && Self.leadsToBundle(path): links.append(path)
    case .mapping: found.mappings.append(path)
    case .mappingFile where MappingPath.bundleName(of: "./" + path) != nil: found.mappings.append(path)
    case .lock: found.locks.append(path)
    case .export where place.name.kind == .file: found.exports.append(path)
    default: break
    }
  }

  private static func leadsToBundle(_ link: String) -> Bool {
    RealPath.existing(link).map { ProjectFiles.isFolder($0) && ModelBundle.Form(ofPath: $0) != nil } ?? false
  }

  /// The links to bundles that were not found themselves, one per bundle: the first link by name.
  private func leadingElsewhere(_ links: [String], than bundles: [String]) -> [String] {
    guard !links.isEmpty else { return [] }
    var seen = Set(bundles.map(RealPath.of))
    return VersionOrder.sorted(links).filter { link in
      let target = RealPath.of(link)
      return !Self.isInside(target, seen) && seen.insert(target).inserted
    }
  }

  private static func isInside(_ path: String, _ folders: Set<String>) -> Bool {
    var parent = BundlePath.parent(path)
    while parent != "/" {
      if folders.contains(parent) { return true }
      parent = BundlePath.parent(parent)
    }
    return false
  }

  // MARK: Git

  private static func isIgnored(_ folder: String) -> Bool { !ignored(of: ["."], in: folder).isEmpty }

  /// The untracked paths below a folder that git ignores; empty if git fails.
  private static func ignored(of paths: [String], in folder: String) -> Set<String> {
    // A path that begins with a full stop is never taken for a pattern, as one that begins with a colon is.
    let input = Data(paths.map { "./\($0)\0" }.joined().utf8)
    let answer = try? GitCommand(folder: folder)
      .run(["check-ignore", "--no-index", "--stdin", "-z"], input: input, isLiteral: false)
    return Set((answer?.output ?? Data()).split(separator: 0).map { String(decoding: $0.dropFirst(2), as: UTF8.self) })
  }
}
