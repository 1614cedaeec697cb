import AtomicStores
import ModelDescription
package import ModelFiles
import PersistentStores

extension Workspace {
  /// The model that an argument names, or the current version when there is none.
  ///
  /// - Throws: `ModelFileError`, and `StoreError` when the argument is the path of a file that is no model.
  package func model(_ argument: String?) throws -> (name: String, file: ModelFile) {
    try checkPath()
    if let union = try ArgumentUnion(argument, self) { return try union.merged() }
    do {
      let source = try source(argument)
      return (source.name, try source.load())
    } catch ModelFileError.ambiguous(let folder, let candidates)
      where Workspace.isPlainFolder(folder) && !candidates.contains(where: { $0.contains("@") })
    {
      throw WorkspaceError.severalBundles(folder: folder, candidates: candidates)
    } catch ModelFileError.notAModel(let path) where path == argument {
      guard !Workspace.isPlainFolder(path) else { throw ModelFileError.noBundle(folder: path) }
      let file = try storedModel(path)
      return (path, file)
    }
  }

  /// Where the model is that an argument names, or the current version when there is none; a name in other letters'
  /// case is reported.
  ///
  /// - Throws: `ModelFileError`, `notAModel` for a store of any kind among it, and as `Project.search()`.
  package func source(_ argument: String?) throws -> ModelSource {
    if let argument, StoreKinds.kind(ofFile: argument) != nil { throw ModelFileError.notAModel(path: argument) }
    let search = try project.search()
    do {
      guard let argument else { return try ModelSource.current(bundlePath: path, in: search) }
      let source = try ModelSource.resolve(argument, bundlePath: path, in: search)
      if case .version(let version) = source {
        WorkspaceNotice.respelling(of: argument, as: [version.name, version.qualifiedName, version.bundleName])
          .map(report)
      }
      return source
    } catch {
      if let excluded = try project.exclusion(under: path) { throw excluded }
      throw error
    }
  }

  /// What a store that cannot be read as one looks like.
  private static let mayBeStore: Set<ForeignContent> = [.random, .unknown]

  /// The model in a store, else the version here that wrote it.
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
    if let model = try reader.identify(among: []).model { return ModelFile(ofStore: path, model) }
    return ModelFile(model: try load().model(by: reader).model, path: path)
  }
}
