import Foundation
import ModelDescription
public import ModelFiles
package import StoreContents

/// The models that stores are held against: a bundle, a folder with bundles, a whole project.
///
/// ```swift
/// let workspace = try Workspace(at: "Models").load()
/// let target = try workspace.target(of: "store.sqlite")
/// print(target.source?.version?.name ?? "unknown", "to", target.destination.name)
/// ```
///
/// Named paths are all that matters to stores: their models, and the mapping models beside the bundles. The working
/// directory, `.modelctl.json`, git and mapping files elsewhere matter to stores only where a ``Project`` is given, or no
/// path; checks and lock files ask the project of the working directory in any case.
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
  /// Which mapping models migrations use.
  public enum MappingChoice: Hashable, Sendable {
    /// Those that are found near the bundles: in their project where one is given, else in the folder that holds a bundle
    /// and in `Migrations` there and beside that folder.
    case found
    /// The files at these paths alone.
    case files([String])
    /// None: everything is inferred.
    case none
  }

  /// The paths of bundles, or of a folder with bundles; empty for the whole project.
  public let paths: [String]
  /// The only configuration to consider; nil for the whole models and all of theirs.
  public var configuration: String?
  /// Which mapping models migrations use.
  public var mappings = MappingChoice.found
  /// Takes what is worth saying while files are read.
  public var report: @Sendable (WorkspaceNotice) -> Void = { _ in }
  /// The project that is given, else that of the working directory.
  public let project: Project
  /// Where the models and mapping models of stores are looked for.
  let models: Project

  /// Names a bundle or a folder with bundles; nothing is read.
  ///
  /// - Parameters:
  ///   - path: the bundle or folder; nil for all bundles of the project of the working directory.
  ///   - project: the project that the models belong to; nil for what is named alone.
  public init(at path: String? = nil, in project: Project? = nil) {
    self.init(merging: path.map { [$0] } ?? [], in: project)
  }

  /// Names the bundles whose models the app merges; nothing is read.
  ///
  /// - Parameters:
  ///   - paths: the bundles.
  ///   - project: the project that the models belong to; nil for what is named alone.
  public init(merging paths: [String], in project: Project? = nil) {
    self.paths = paths
    self.project = project ?? Project()
    models = project == nil && !paths.isEmpty ? .ofNamed() : self.project
  }

  /// True when the app opens its stores with the union of several bundles' models.
  public var mergesBundles: Bool { paths.count > 1 }

  /// The only path given, nil for none and for several.
  package var path: String? { paths.count == 1 ? paths.first : nil }

  /// The bundles to look in; one found by itself that cannot be used is reported.
  ///
  /// - Throws: `ModelFileError` and ``WorkspaceError`` when a path names nothing that can be used.
  public func bundles() throws -> [ModelBundle] {
    guard !mergesBundles else { return try mergedBundles() }
    guard let path else { return try usable(under: models.search().project.path).bundles }
    try checkPath()
    guard Self.isPlainFolder(path) else { return [try ModelBundle(at: path)] }
    let (bundles, failure) = try usable(under: path)
    if bundles.isEmpty { throw try failure ?? models.exclusion(under: path) ?? WorkspaceError.noBundle(folder: path) }
    return bundles
  }

  /// The bundles whose models are merged, in the order in which they are named.
  ///
  /// - Throws: `ModelFileError` and ``WorkspaceError`` when a path leads to no bundle or to several, or two to the
  ///   same.
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

  /// The bundle to work on, the editor's where there are compiled ones beside it.
  ///
  /// - Throws: `ModelFileError` and ``WorkspaceError`` when there is none, or more than one.
  package func onlyBundle() throws -> ModelBundle {
    try checkSingle()
    try checkPath()
    return try onlyBundle(under: path)
  }

  /// Refuses several bundles where only one can be worked on.
  package func checkSingle() throws(WorkspaceError) { if mergesBundles { throw .bundleTooMany(paths: paths) } }

  /// Refuses a path that is not there.
  package func checkPath() throws(ModelFileError) {
    guard let missing = paths.first(where: { !FileManager.default.fileExists(atPath: $0) }) else { return }
    throw .unreadable(path: missing, reason: "there is no such file or folder")
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

  /// Says that a text of objects is loaded as objects of a version.
  ///
  /// - Parameters:
  ///   - source: the file, or the folder of tables.
  ///   - argument: what names the version; nil for the current one.
  /// - Returns: what loads the text, with the versions here by which its messages name others.
  /// - Throws: as `model(_:configuration:)`, and ``WorkspaceError`` for a model whose inheritance is broken.
  package func loading(_ source: String, as form: LoadForm, to argument: String?) throws -> StoreLoading {
    // The version may be named by a store, which is of any configuration.
    var whole = self
    whole.configuration = nil
    let (name, file) = try whole.model(argument, configuration: configuration)
    let version = try WorkspaceError.locating(in: file, named: name) {
      try LoadedVersion(bundle: "", name: name, isCurrent: true, model: file.model)
    }
    // What is wrong with other versions is not what this is about.
    var quiet = self
    quiet.report = { _ in }
    let known = (try? quiet.load().versions) ?? []
    return StoreLoading(source, form: form, version: version, versions: known + [version])
  }
}
