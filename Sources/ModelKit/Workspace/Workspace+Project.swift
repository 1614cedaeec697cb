import Foundation
public import ModelChecks
import ModelDescription
import ModelFiles

extension Workspace {
  /// Reads models with their history, as `CheckRun` takes them.
  ///
  /// - Parameters:
  ///   - compiledModels: compiled models of releases.
  ///   - arguments: bundles, folders with bundles, and names of models; every bundle of the workspace if empty.
  ///   - base: an earlier state to compare the models with: a git revision, whose merge base is used, or a folder; nil
  ///     for none.
  ///   - configuration: the exclusions and the merged models; nil for the project's configuration.
  /// - Returns: the project; models that cannot be read are among its errors.
  /// - Throws: ``WorkspaceError`` if there is nothing to check, and `RevisionError` and `ModelFileError` if the base
  ///   does not exist.
  public func checkedProject(
    of arguments: [String] = [], base: String? = nil, against compiledModels: [String] = [],
    configuration: CheckConfiguration? = nil
  ) throws -> CheckedProject {
    let search = try configuration.map(project.search(by:)) ?? project.search()
    let configuration = try configuration ?? project.configuration()
    let history = History(base: base, compiledModels: compiledModels.map { RelativePath.text($0) })
    let named = try CheckedPaths.resolve(arguments, self, search)
    guard named.emptyFolder == nil else {
      // An error here says less than that there is nothing to check.
      guard let project = try? loadHeldAgainstBase(named, history, configuration, search),
        !project.deletedBundles.isEmpty
      else { throw WorkspaceError.noBundle(folder: named.emptyFolder ?? search.project.path) }
      return project
    }
    // What was at places at which there is nothing now is looked for too, where git knows of them.
    let isFolder = history.base.map(Self.isFolder) ?? false
    let paths = named.withEmptyPlaces(foldersOnly: isFolder, isRevision: history.base != nil && !isFolder)
    var project = try loadHeldAgainstBase(paths, history, configuration, search)
    project.addUnions(of: configuration, merging: mergesBundles ? try mergedBundles().map(\.path) : [])
    project.errors = paths.errors(besides: project.deletedBundles.map(\.path)) + project.errors
    if project.files.isEmpty, project.deletedBundles.isEmpty, project.errors.isEmpty, let path = configuration.path {
      throw WorkspaceError.everythingExcluded(configuration: path)
    }
    return project
  }

  /// The earlier states to compare models with.
  private typealias History = (base: String?, compiledModels: [String])

  private func loadHeldAgainstBase(
    _ paths: CheckedPaths, _ history: History, _ configuration: CheckConfiguration, _ search: ProjectSearch
  ) throws -> CheckedProject {
    func load(since base: HistoryBase? = nil) -> CheckedProject {
      CheckedProject.load(
        paths: paths.paths, models: paths.models, base: base, against: history.compiledModels,
        configuration: configuration, search: search)
    }
    guard let base = history.base else { return load() }
    if Self.isFolder(base) { return load(since: try .folder(RelativePath.text(base), roots: paths.paths)) }
    guard !Self.looksLikeFolder(base) else { throw WorkspaceError.noBase(folder: base) }
    let roots = paths.paths.isEmpty ? [search.project.path] : paths.paths
    return try RevisionTree.read(
      base, paths: roots, mappingFolders: search.mappingFolders(near: roots), files: configuration.exportPaths
    ) { tree in
      if tree.revision.lacksMergeBase { report(.noMergeBase(revision: base)) }
      return load(since: .revision(tree))
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// Whether a text cannot be a git revision.
  private static func looksLikeFolder(_ base: String) -> Bool {
    ["/", "./", "../", "~"].contains { base.hasPrefix($0) } || base.hasSuffix("/") || base == ".."
  }
}
