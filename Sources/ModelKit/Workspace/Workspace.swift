import Foundation
import ModelDescription
public import ModelFiles
package import StoreContents

/// The models that stores are compared with: a bundle, a folder with bundles, or a complete project.
///
/// ```swift
/// let workspace = try Workspace(at: "Models").load()
/// let target = try workspace.target(of: "store.sqlite")
/// print(target.source?.version?.name ?? "unknown", "to", target.destination.name)
/// ```
///
/// Stores depend only on the named paths: their models, and the mapping models beside the bundles. The working
/// directory, `.modelctl.json`, git and mapping files elsewhere matter only if you give a ``Project`` or no path.
/// Checks and lock files always use the project of the working directory.
///
/// ## Topics
///
/// ### Naming the models
/// - ``init(at:in:)``
/// - ``init(merging:in:)``
/// - ``configuration``
/// - ``mappings``
///
/// ### Reading them
/// - ``load()``
/// - ``bundles()``
/// - ``checkedProject(of:base:against:configuration:)``
/// - ``report``
public struct Workspace: Sendable {
  /// The mapping models that migrations use.
  public enum MappingChoice: Hashable, Sendable {
    /// The mapping models found near the bundles: in the given project, or else in a bundle's folder and in
    /// `Migrations` in or beside that folder.
    case found
    /// The files at these paths alone.
    case files([String])
    /// None: everything is inferred.
    case none
  }

  /// The paths of bundles, or of a folder with bundles; empty for the complete project.
  public let paths: [String]
  /// The only configuration to consider; nil for the complete models and all their configurations.
  public var configuration: String?
  /// The mapping models that migrations use.
  public var mappings = MappingChoice.found
  /// Receives notices while files are read.
  public var report: @Sendable (WorkspaceNotice) -> Void = { _ in }
  /// The given project, or the project of the working directory.
  public let project: Project
  /// The project that is searched for the models and mapping models of stores.
  let models: Project

  /// Creates a workspace of a bundle or a folder with bundles, without reading it.
  ///
  /// - Parameters:
  ///   - path: the bundle or folder; nil for all bundles of the project of the working directory.
  ///   - project: the project that the models belong to; nil to use only the named path.
  public init(at path: String? = nil, in project: Project? = nil) {
    self.init(merging: path.map { [$0] } ?? [], in: project)
  }

  /// Creates a workspace of the bundles that the app merges, without reading them.
  ///
  /// - Parameters:
  ///   - paths: the bundles.
  ///   - project: the project that the models belong to; nil to use only the named paths.
  public init(merging paths: [String], in project: Project? = nil) {
    self.paths = paths
    self.project = project ?? Project()
    models = project == nil && !paths.isEmpty ? .ofNamed() : self.project
  }

  /// Whether the app opens its stores with the union of several bundles' models.
  public var mergesBundles: Bool { paths.count > 1 }

  /// The only given path; nil if there is none or if there are several.
  package var path: String? { paths.count == 1 ? paths.first : nil }

  /// The bundles of the workspace; unusable bundles that were found by a search are reported.
  ///
  /// - Throws: `ModelFileError` and ``WorkspaceError`` if a named path cannot be used.
  public func bundles() throws -> [ModelBundle] {
    guard !mergesBundles else { return try mergedBundles() }
    guard let path else { return try usable(under: models.search().project.path).bundles }
    try checkPath()
    guard Self.isPlainFolder(path) else { return [try ModelBundle(at: path)] }
    let (bundles, failure) = try usable(under: path)
    if bundles.isEmpty { throw try failure ?? models.exclusion(under: path) ?? WorkspaceError.noBundle(folder: path) }
    return bundles
  }

  /// The bundles to merge, in the order in which they are named.
  ///
  /// - Throws: `ModelFileError` and ``WorkspaceError`` if a path is not a single bundle, or if two are the same bundle.
  package func mergedBundles() throws -> [ModelBundle] {
    try checkPath()
    var bundles: [ModelBundle] = []
    for path in paths {
      let bundle = try onlyBundle(under: path)
      guard !bundles.contains(where: { RealPath.of($0.path) == RealPath.of(bundle.path) }) else {
        throw WorkspaceError.bundleTwice(bundle: bundle.path)
      }
      bundles.append(bundle)
    }
    return bundles
  }

  /// The only bundle; the source bundle if compiled copies are beside it.
  ///
  /// - Throws: `ModelFileError` and ``WorkspaceError`` if there is none, or more than one.
  package func onlyBundle() throws -> ModelBundle {
    try checkSingle()
    try checkPath()
    return try onlyBundle(under: path)
  }

  /// Throws an error if there are several bundles.
  package func checkSingle() throws(WorkspaceError) { if mergesBundles { throw .bundleTooMany(paths: paths) } }

  /// Refuses a path that is not there.
  package func checkPath() throws(ModelFileError) {
    guard let missing = paths.first(where: { !FileManager.default.fileExists(atPath: $0) }) else { return }
    throw .unreadable(path: missing, reason: CommonWords.missingPath)
  }

  package static func isPlainFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let name = URL(fileURLWithPath: path).pathExtension.lowercased()
    return exists && isFolder.boolValue && ModelBundle.Form(rawValue: name) == nil
  }

  private func onlyBundle(under folder: String?) throws -> ModelBundle {
    let search = try models.search()
    do {
      return try search.onlyBundle(under: folder)
    } catch {
      guard case .ambiguous(let folder, let candidates) = error else {
        throw try models.exclusion(under: folder) ?? error
      }
      throw WorkspaceError.severalBundles(folder: folder, candidates: candidates)
    }
  }

  func usable(under folder: String) throws -> (bundles: [ModelBundle], failure: ModelFileError?) {
    var bundles: [ModelBundle] = []
    var failures: [ModelFileError] = []
    let search = try models.search()
    let files = search.files(under: folder)
    if files.isCutOff { report(.tooManyFolders(folder: folder)) }
    for path in ModelBundle.withoutStale(files.bundles) {
      do {
        bundles.append(try search.bundle(at: path))
      } catch {
        failures.append(error)
      }
    }
    if path == nil || !bundles.isEmpty { failures.forEach { report(.bundleLeftOut($0)) } }
    return (bundles, failures.first)
  }

  /// Prepares the loading of a text into objects of a version.
  ///
  /// - Parameters:
  ///   - source: the file, or the folder of tables.
  ///   - argument: the name of the version; nil for the current version.
  /// - Returns: the loader, with the workspace's versions for its messages.
  /// - Throws: as `model(_:configuration:)`, and ``WorkspaceError`` if the inheritance of a model is broken.
  package func loading(_ source: String, as form: LoadFormat, to argument: String?) throws -> StoreLoading {
    // The version may be named by a store, which is of any configuration.
    var whole = self
    whole.configuration = nil
    let (name, file) = try whole.model(argument, configuration: configuration)
    let version = try WorkspaceError.locating(in: file, named: name) {
      try LoadedVersion(bundle: "", name: name, isCurrent: true, file: file)
    }
    // What is wrong with other versions is not what this is about.
    var quiet = self
    quiet.report = { _ in }
    let known = (try? quiet.load().versions) ?? []
    return StoreLoading(source, format: form, version: version, versions: known + [version])
  }
}
