import Foundation
import ModelDescription

/// Finds the bundles and the mapping models of a project; it reads each folder and opens each bundle once.
public final class ProjectSearch: Sendable {
  /// The project folder around the current folder; bundles are searched here if no path is given.
  public let project: ProjectFolder
  private let excludes: @Sendable (String) -> Bool
  private let here = AbsolutePath.components(".")
  private let cache: String?
  private let found = OncePerKey<String, ProjectFiles>()
  private let opened = OncePerKey<String, Result<ModelBundle, ModelFileError>>()

  /// Prepares a search without reading folders.
  ///
  /// - Parameters:
  ///   - excludes: true for a path that the project leaves out.
  ///   - cache: a folder to keep what was seen of the project's folders in, so that those that have not changed are not
  ///     read again; nil for none.
  public init(
    in project: ProjectFolder = .enclosing("."),
    excluding excludes: @escaping @Sendable (String) -> Bool = { _ in false }, cache: String? = nil
  ) {
    (self.project, self.excludes, self.cache) = (project, excludes, cache)
  }

  /// Finds the files below a folder, except excluded files.
  ///
  /// - Parameter folder: the folder, or a bundle, which is never excluded.
  /// - Returns: the paths; paths in the project are relative to the current folder.
  public func files(under folder: String) -> ProjectFiles {
    let named = BundlePath.trimmed(folder)
    return allFiles(under: folder).excluding { $0 != named && excludes($0) }
  }

  func leavesOut(_ path: String) -> Bool { excludes(path) }

  /// Finds the files below a folder, including excluded files.
  public func allFiles(under folder: String) -> ProjectFiles {
    found.value(for: folder) {
      let files = ProjectFiles.found(under: folder, cache: cache)
      return folder == project.path && !folder.hasPrefix("/") && folder != "." ? files.mapPaths(fromHere) : files
    }
  }

  /// The bundle at a path, opened at the first access.
  package func bundle(at path: String) throws(ModelFileError) -> ModelBundle {
    try opened.value(for: path) { Result { () throws(ModelFileError) in try ModelBundle(at: path) } }.get()
  }

  /// The only bundle below a folder.
  ///
  /// - Parameter folder: the folder; nil for the project.
  public func onlyBundle(under folder: String?) throws(ModelFileError) -> ModelBundle {
    let folder = folder ?? project.path
    return try ModelBundle.only(of: files(under: folder).bundles, under: folder)
  }

  /// The same path relative to the current folder, ending in a name.
  private func fromHere(_ path: String) -> String {
    let inner = BundlePath.components(String(path.dropFirst(project.path.count)))
    let folder = AbsolutePath.relative(project.components + inner.dropLast(), from: here)
    let name = inner.last ?? "."
    return folder == "." ? name : BundlePath.joined(folder, name)
  }

  /// The folders that are searched for the mapping models of bundles.
  ///
  /// The mapping models of a bundle may be anywhere in its project. If the bundle is not in a project, they are in the
  /// bundle's folder and in `Migrations` next to that folder.
  ///
  /// - Parameter paths: the paths of bundles and of folders with bundles; empty for this project.
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

  /// The path for a new mapping file of a bundle: next to the bundle's other mapping files, or in `Migrations` of the
  /// project, or in `Migrations` of the bundle's folder if it is not in a project.
  ///
  /// - Parameter bundles: the path of the bundle; several paths if their models are merged.
  /// - Returns: the path; no file is written.
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

/// The bundles of a project that people edit, by the entities of their current versions.
package struct EntityHolders: Sendable {
  private let paths: [String: [String]]

  /// Reads the current versions of a project's bundles; an unreadable version lacks entities.
  package static func read(in search: ProjectSearch) -> EntityHolders {
    var paths: [String: [String]] = [:]
    for path in search.files(under: search.project.path).bundles {
      guard let bundle = try? search.bundle(at: path), bundle.form.isEditable,
        let model = try? bundle.currentVersion().load().model
      else { continue }
      for entity in model.entities { paths[entity.name, default: []].append(path) }
    }
    return EntityHolders(paths: paths)
  }

  /// The path of a different bundle that has an entity of a name; nil if none has.
  package func bundle(declaring entity: String, besides bundle: String) -> String? {
    guard let found = paths[entity] else { return nil }
    let own = RealPath.of(bundle)
    return found.first { RealPath.of($0) != own }
  }
}
