import Foundation
public import ModelChecks
import ModelDescription
import ModelFiles

extension Workspace {
  /// Reads models with everything that is known of their history, as `CheckRun` takes them.
  ///
  /// - Parameters:
  ///   - arguments: bundles, folders with bundles, and models by their names; every bundle of the workspace when there
  ///     are none.
  ///   - base: an earlier state to hold the models against: a revision of git, of which the merge base is taken, or a
  ///     folder; nil for none.
  ///   - compiledModels: compiled models of the app that users have.
  ///   - configuration: what is left out, and what is merged; nil for what the project has decided.
  /// - Returns: the project; what could not be read is among its errors.
  /// - Throws: ``WorkspaceError`` where there is nothing to check, and `RevisionError` and `ModelFileError` when the base
  ///   is not there.
  public func checkedProject(
    of arguments: [String] = [], base: String? = nil, against compiledModels: [String] = [],
    configuration: CheckConfiguration? = nil
  ) throws -> CheckedProject {
    let configuration = try configuration ?? project.configuration()
    let search = ProjectSearch(excluding: configuration.excludes)
    let history = History(base: base, compiledModels: compiledModels.map { RelativePath.text($0) })
    let checked = try loadOrGone(arguments, history, configuration, search)
    if checked.files.isEmpty, checked.goneBundles.isEmpty, checked.errors.isEmpty, let path = configuration.path {
      throw WorkspaceError.everythingExcluded(configuration: path)
    }
    return checked
  }

  /// What models are held against.
  private typealias History = (base: String?, compiledModels: [String])

  /// Reads what arguments name; where there is no bundle, what became of those that were there.
  private func loadOrGone(
    _ arguments: [String], _ history: History, _ configuration: CheckConfiguration, _ search: ProjectSearch
  ) throws -> CheckedProject {
    do {
      let paths = try CheckedPaths.resolve(arguments, self, search)
      // What was at places at which there is nothing now is looked for too, where git knows of them.
      let everywhere = paths.withEmptyPlaces(foldersOnly: history.base.map(Self.isFolder) ?? false)
      var project: CheckedProject
      do {
        project = try loadHeldAgainstBase(everywhere, history, configuration, search)
      } catch RevisionError.outsideRepository, RevisionError.noRepository {
        project = try loadHeldAgainstBase(paths, history, configuration, search)
      }
      project.addUnions(of: configuration, merging: mergesBundles ? try mergedBundles().map(\.path) : [])
      project.errors = paths.errors(besides: project.goneBundles.map(\.path)) + project.errors
      return project
    } catch WorkspaceError.noBundle(let folder) {
      let paths = CheckedPaths(under: CheckedPaths.starts(self, search))
      guard let project = try? loadHeldAgainstBase(paths, history, configuration, search),
        !project.goneBundles.isEmpty
      else {
        throw WorkspaceError.noBundle(folder: folder)
      }
      return project
    }
  }

  private func loadHeldAgainstBase(
    _ paths: CheckedPaths, _ history: History, _ configuration: CheckConfiguration, _ search: ProjectSearch
  ) throws -> CheckedProject {
    func load(since base: HistoryBase? = nil) -> CheckedProject {
      CheckedProject.load(
        paths: paths.paths, models: paths.models, base: base, against: history.compiledModels,
        configuration: configuration, search: search)
    }
    guard let base = history.base else { return load() }
    if Self.isFolder(base) {
      return load(since: try .folder(RelativePath.text(base), roots: paths.paths))
    }
    guard !Self.looksLikeFolder(base) else { throw WorkspaceError.noBase(folder: base) }
    let roots = paths.paths.isEmpty ? [search.project.path] : paths.paths
    return try RevisionTree.read(base, paths: roots, mappingFolders: search.mappingFolders(near: roots)) { tree in
      if tree.revision.lacksMergeBase { report(.noMergeBase(revision: base)) }
      return load(since: .revision(tree))
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// True for what can be no revision of git.
  private static func looksLikeFolder(_ base: String) -> Bool {
    ["/", "./", "../", "~"].contains { base.hasPrefix($0) } || base.hasSuffix("/") || base == ".."
  }
}
