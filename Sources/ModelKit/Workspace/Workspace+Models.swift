import AtomicStores
package import ModelDescription
package import ModelFiles
import PersistentStores

extension Workspace {
  /// A model that an argument names, how reports call it, and its inheritance looked through.
  package typealias NamedModel = (name: String, file: ModelFile, hierarchy: EntityHierarchy)

  /// The model that an argument names, or the current version, with the entities of a configuration.
  ///
  /// - Parameters:
  ///   - argument: the name of the model; nil for the current version.
  ///   - configuration: the configuration; nil for the complete model.
  /// - Returns: the name for reports, and the model with its file.
  /// - Throws: `ModelFileError`, `StoreError` if the argument is the path of a file that is not a model, and
  ///   ``WorkspaceError`` if the model does not have the configuration.
  package func model(_ argument: String?, configuration: String? = nil) throws -> (name: String, file: ModelFile) {
    try checkPath()
    var found: (name: String, file: ModelFile)
    do {
      if let union = try ArgumentUnion(argument, self) {
        found = try union.merged()
      } else {
        let source = try source(argument)
        found = (source.name, try source.load())
      }
    } catch ModelFileError.ambiguous(let folder, let candidates)
      where Workspace.isPlainFolder(folder) && !candidates.contains(where: { $0.contains("@") })
    {
      throw WorkspaceError.severalBundles(folder: folder, candidates: candidates)
    } catch ModelFileError.notAModel(let path) where path == argument {
      guard !Workspace.isPlainFolder(path) else { throw ModelFileError.noBundle(folder: path) }
      found = (path, try storedModel(path))
    }
    guard let configuration else { return found }
    guard let part = found.file.model.restricted(toConfiguration: configuration) else {
      throw WorkspaceError.unknownConfiguration(
        configuration, model: found.name, configurations: found.file.model.configurations.map(\.name))
    }
    found.file.model = part
    return found
  }

  /// The model that an argument names, or the current version, with its inheritance resolved.
  ///
  /// - Throws: as ``model(_:)``, and ``WorkspaceError`` if the inheritance is broken.
  package func namedModel(_ argument: String?) throws -> NamedModel {
    let (name, file) = try model(argument)
    return (name, file, try WorkspaceError.locating(in: file, named: name) { try EntityHierarchy(file.model) })
  }

  /// Compares the models of two arguments.
  ///
  /// If two versions of different bundles have equal names, the report uses the
  /// arguments as names.
  package func compared(_ sourceName: String, _ destinationName: String) throws -> ComparedModels {
    let models = [sourceName, destinationName].concurrentMap { argument in Result { try namedModel(argument) } }
    var (source, destination) = (try models[0].get(), try models[1].get())
    if source.name == destination.name { (source.name, destination.name) = (sourceName, destinationName) }
    if source.file.isOfStore || destination.file.isOfStore {
      // What no store keeps would look like changes.
      source.hierarchy = try EntityHierarchy(source.hierarchy.model.storedForm)
      destination.hierarchy = try EntityHierarchy(destination.hierarchy.model.storedForm)
    }
    return ComparedModels(from: (source.name, source.hierarchy), to: (destination.name, destination.hierarchy))
  }

  /// The source of the model that an argument names, or of the current version.
  ///
  /// A name that differs in case is reported.
  ///
  /// - Throws: `ModelFileError`, `notAModel` also for a store, and as `Project.search()`.
  package func source(_ argument: String?) throws -> ModelSource {
    let search = try models.search()
    do {
      guard let argument else { return try ModelSource.current(bundlePath: path, in: search) }
      let source = try ModelSource.resolve(argument, bundlePath: path, in: search)
      switch source {
      case .version(let version):
        try noteName(argument, version.bundleName, current: version.name, at: BundlePath.parent(version.path))
        WorkspaceNotice.respelling(of: argument, as: [version.name, version.qualifiedName, version.bundleName])
          .map(report)
      // What begins as a model may be a store.
      case .file where StoreKinds.kind(ofFile: argument) != nil: throw ModelFileError.notAModel(path: argument)
      case .file, .revision: break
      }
      return source
    } catch {
      if let excluded = try models.exclusion(under: path) { throw excluded }
      throw error
    }
  }

  /// The path of the bundle with a bare name; nil for other arguments.
  ///
  /// - Throws: as `Project.search()`, and `ModelFileError` if several bundles have the name.
  package func bundlePath(called name: String) throws -> String? {
    guard !BundlePath.looksLikePath(name), ModelBundle.Form(ofPath: name) == nil else { return nil }
    let search = try models.search()
    let found = search.files(under: search.project.path).bundles.filter { BundlePath.stem($0) == name }
    let editable = found.filter { ModelBundle.Form(ofPath: $0)?.isEditable ?? false }
    let choice = editable.isEmpty ? found : editable
    guard let path = choice.first else { return nil }
    guard choice.count == 1 else { throw ModelFileError.ambiguous(name: name, candidates: choice) }
    if Self.isPlainFolder(name), search.files(under: name).bundles != [path] {
      report(.folderNamed(name, taken: "the bundle \(path)"))
    }
    return path
  }

  /// Whether a bundle or a version has exactly this bare name, so that it does not mean a folder.
  package func isName(_ argument: String) throws -> Bool {
    guard !BundlePath.looksLikePath(argument), ModelBundle.Form(ofPath: argument) == nil else { return false }
    return try usable(under: path ?? models.search().project.path).bundles.contains { bundle in
      bundle.name == argument || bundle.versions.contains { $0.name == argument }
    }
  }

  /// Reports the other meanings of a bare name: a version, or a folder.
  ///
  /// - Parameter bundle: the bundle that is meant, or that has the meant version.
  func noteName(_ argument: String, _ bundle: String, current: String, at path: String) throws {
    guard !BundlePath.looksLikePath(argument), ModelBundle.Form(ofPath: argument) == nil else { return }
    if bundle == argument {
      let bundles = try usable(under: self.path ?? models.search().project.path).bundles.filter(\.form.isEditable)
      let versions = bundles.flatMap { bundle in bundle.versions.map { (bundle: bundle.name, name: $0.name) } }
      WorkspaceNotice.bundleName(argument, among: versions, current: current).map(report)
    }
    guard Self.isPlainFolder(argument) else { return }
    report(.folderNamed(argument, taken: bundle == argument ? "the bundle \(path)" : "version \(bundle)@\(current)"))
  }

  /// The version of the store that is named in place of a bundle; nil if no store is.
  ///
  /// - Throws: `StoreError` if the store cannot be read, and ``WorkspaceError/noModelInStore(path:)``.
  func versionOfStore() throws -> LoadedVersion? {
    guard let path, StoreFiles.beginsAsDatabase(path) else { return nil }
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let own = try reader.identify(among: [])
    guard let model = own.model else { throw WorkspaceError.noModelInStore(path: path) }
    return try LoadedVersion(
      bundle: path, name: path, isCurrent: true, file: ModelFile(ofStore: path, model, content: own.cachedContent))
  }

  /// The contents whose own message is better: of a damaged or encrypted store, and of Swift source code.
  private static let mayBeStore: Set<ForeignContent> = [.random, .unknown, .damagedHeader, .swiftSource]

  /// The model in a store; if it has none, the version of the workspace that wrote it.
  private func storedModel(_ path: String) throws -> ModelFile {
    if StoreKinds.kind(ofFile: path, among: StoreKinds.builtIn) != nil {
      guard let version = try load().mirror(of: path)?.version else { throw WorkspaceError.noModelInStore(path: path) }
      return ModelFile(model: version.hierarchy.model, path: path)
    }
    let reader: StoreReader
    do {
      reader = try StoreReader(path: path)
    } catch StoreError.notSQLite(_, let content) where !Self.mayBeStore.contains(content) {
      throw WorkspaceError.neitherModelNorStore(path: path)
    }
    defer { reader.close() }
    let own = try reader.identify(among: [])
    if let model = own.model { return ModelFile(ofStore: path, model, content: own.cachedContent) }
    return ModelFile(model: try load().model(by: reader).model, path: path)
  }
}
