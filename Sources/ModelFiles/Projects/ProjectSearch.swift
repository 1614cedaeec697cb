import Foundation

/// Finds the bundles and the mapping models of a project, and walks through each folder once.
public final class ProjectSearch: @unchecked Sendable {
  /// The folder of the project in which the program runs: where bundles are looked for when nothing is named.
  public let project: ProjectFolder
  private let excludes: @Sendable (String) -> Bool
  private let here = AbsolutePath.components(".")
  private let lock = NSLock()
  private var found: [String: ProjectFiles] = [:]

  /// Prepares a search, which looks for nothing yet.
  ///
  /// - Parameters:
  ///   - project: the project in which the program runs.
  ///   - excludes: true for a path that the project leaves out.
  public init(
    in project: ProjectFolder = .enclosing("."),
    excluding excludes: @escaping @Sendable (String) -> Bool = { _ in false }
  ) {
    (self.project, self.excludes) = (project, excludes)
  }

  /// What lies below a folder and is not left out.
  ///
  /// - Parameter folder: the folder, or a bundle, which is never left out.
  /// - Returns: the paths; those of the project are written from where the program runs.
  public func files(under folder: String) -> ProjectFiles {
    let named = BundlePath.trimmed(folder)
    return allFiles(under: folder).excluding { $0 != named && excludes($0) }
  }

  /// True for a path that the project leaves out.
  func leavesOut(_ path: String) -> Bool { excludes(path) }

  /// What lies below a folder, also what the project leaves out.
  public func allFiles(under folder: String) -> ProjectFiles {
    lock.withLock {
      if let files = found[folder] { return files }
      var files = ProjectFiles.found(under: folder)
      if folder == project.path, !folder.hasPrefix("/"), folder != "." {
        files = files.mapPaths(fromHere)
      }
      found[folder] = files
      return files
    }
  }

  /// The only bundle below a folder.
  ///
  /// - Parameter folder: the folder; nil for the project.
  /// - Returns: the bundle.
  /// - Throws: as `ModelBundle.only(of:under:)`.
  public func onlyBundle(under folder: String?) throws(ModelFileError) -> ModelBundle {
    let folder = folder ?? project.path
    return try ModelBundle.only(of: files(under: folder).bundles, under: folder)
  }

  /// The same path without the steps up and down that lead to the folder where the program runs; it ends in a name.
  private func fromHere(_ path: String) -> String {
    let inner = BundlePath.components(String(path.dropFirst(project.path.count)))
    let folder = AbsolutePath.relative(project.components + inner.dropLast(), from: here)
    let name = inner.last ?? "."
    return folder == "." ? name : BundlePath.joined(folder, name)
  }

  /// The folders in which the mapping models of bundles are looked for.
  ///
  /// Those of a bundle in this project may be anywhere in it, those of a bundle elsewhere anywhere in the project of
  /// that bundle. Where nothing marks that project, they are in the folder that holds the bundle and in `Migrations`
  /// beside that folder.
  ///
  /// - Parameter paths: the paths of bundles and of folders with bundles; none for this project.
  /// - Returns: the folders, each once.
  public func mappingFolders(near paths: [String]) -> [String] {
    var folders: [String] = paths.isEmpty ? [project.path] : []
    for path in paths {
      let other = ProjectFolder.enclosing(path)
      // A repository inside the project, such as a submodule, is a project of its own.
      guard !project.contains(path) || other.isRepository && other.components != project.components else {
        folders.append(project.path)
        continue
      }
      guard !other.isMarked else {
        folders.append(other.path)
        continue
      }
      let folder = BundlePath.parent((path as NSString).standardizingPath)
      folders += [folder, BundlePath.joined(BundlePath.parent(folder), MappingPath.folderName)]
    }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0).inserted }
  }

  /// The mapping models that may be for bundles; those in a repository inside the project, such as a submodule, are for
  /// the bundles there.
  ///
  /// - Parameter paths: as for ``mappingFolders(near:)``.
  /// - Returns: the paths, each once, sorted in each folder.
  public func mappings(near paths: [String]) -> [String] {
    let places = paths.isEmpty ? [project.path] : paths
    let folders = places.filter { ModelBundle.Form(ofPath: $0) == nil }
    let foreign = folders.flatMap { files(under: $0).foreignBundles }
    var seen: Set<String> = []
    return mappingFolders(near: places + foreign).flatMap { files(under: $0).ownMappings }
      .filter { seen.insert($0).inserted }
  }

  /// Where a mapping file of a bundle is looked for: beside the bundle's other mapping files, else in `Migrations` of the
  /// project, or, for a bundle of no project, of the folder that holds it.
  ///
  /// - Parameters:
  ///   - bundles: the path of the bundle; several where their models are merged.
  ///   - source: the name of the version that stores have.
  ///   - destination: the name of the version that they get.
  /// - Returns: the path; nothing is written.
  public func mappingPlace(ofBundles bundles: [String], from source: String, to destination: String) -> String {
    let name = bundles.map { BundlePath.stem($0) }.joined(separator: MergedName.separator)
    let others = mappings(near: bundles).filter {
      MappingPath.form(of: $0) == .document
        && MappingPath.bundleName(of: "./" + $0).map { MergedName($0) } == MergedName(name)
    }
    let top = mappingFolders(near: bundles).first ?? "."
    let home = top == "." ? MappingPath.folderName : BundlePath.joined(top, MappingPath.folderName)
    let place = others.first.map(BundlePath.parent) ?? BundlePath.joined(home, name)
    return BundlePath.joined(place, MappingPath.fileName(from: source, to: destination))
  }
}
