import ArgumentParser
import Foundation
import ModelKit

/// A model that an argument named, and how reports call it.
typealias NamedModel = (name: String, file: ModelFile, hierarchy: EntityHierarchy)

/// Where a command finds its models.
struct ModelOptions: ParsableArguments {
  @Option(
    name: .customLong("model"), parsing: .singleValue,
    help: ArgumentHelp(
      "The bundle, or a folder with bundles; the whole project otherwise. Given more than once: the bundles that the app merges.",
      valueName: "path"))
  var paths: [String] = []

  init() {}

  /// The bundles at a path that another argument names.
  init(at path: String) { paths = [path] }

  /// The only path given, nil for none and for several.
  var model: String? { paths.count == 1 ? paths.first : nil }

  /// True when the app opens its stores with the union of several bundles' models.
  var mergesBundles: Bool { paths.count > 1 }

  /// The bundles to look in; one found by itself that cannot be used is told on standard error.
  ///
  /// - Throws: `ModelFileError` and ``CommandError`` when `--model` names nothing that can be used.
  func bundles() throws -> [ModelBundle] {
    guard !mergesBundles else { return try mergedBundles() }
    guard let model else { return try usable(under: ThisProject.search().project.path).bundles }
    try checkPath()
    guard isPlainFolder(model) else { return [try ModelBundle(at: model)] }
    let (bundles, failure) = try usable(under: model)
    if bundles.isEmpty {
      throw try failure ?? ThisProject.exclusion(under: model) ?? CommandError.noBundle(folder: model)
    }
    return bundles
  }

  /// The bundles whose models are merged, in the order in which they are named.
  ///
  /// - Throws: `ModelFileError` and ``CommandError`` when a path leads to no bundle or to several, or two to the same.
  func mergedBundles() throws -> [ModelBundle] {
    try checkPath()
    var bundles: [ModelBundle] = []
    for path in paths {
      let bundle = try Self.onlyBundle(under: path)
      guard !bundles.contains(where: { RealPath.of($0.path) == RealPath.of(bundle.path) }) else {
        throw CommandError.bundleTwice(bundle: bundle.path)
      }
      bundles.append(bundle)
    }
    return bundles
  }

  /// The bundle to work on, the editor's where there are compiled ones beside it.
  ///
  /// - Throws: `ModelFileError` and ``CommandError`` when there is none, or more than one.
  func onlyBundle() throws -> ModelBundle {
    try checkSingle()
    try checkPath()
    return try Self.onlyBundle(under: model)
  }

  /// Refuses several bundles where a command works on one.
  ///
  /// - Throws: ``CommandError/bundleTooMany(paths:)``.
  func checkSingle() throws(CommandError) {
    if mergesBundles { throw .bundleTooMany(paths: paths) }
  }

  private static func onlyBundle(under folder: String?) throws -> ModelBundle {
    let search = try ThisProject.search()
    do {
      return try search.onlyBundle(under: folder)
    } catch {
      guard case .ambiguous(let folder, let candidates) = error else {
        throw try ThisProject.exclusion(under: folder) ?? error
      }
      throw CommandError.severalBundles(folder: folder, candidates: candidates)
    }
  }

  /// The model that an argument names, or the current version when there is none.
  ///
  /// - Throws: `ModelFileError`, and `StoreError` when the argument is the path of a file that is no model.
  func resolve(_ argument: String?) throws -> (name: String, file: ModelFile) {
    try checkPath()
    if let union = try ArgumentUnion(argument, self) { return try union.merged() }
    do {
      let source = try source(argument)
      return (source.name, try source.load())
    } catch ModelFileError.ambiguous(let folder, let candidates)
      where isPlainFolder(folder) && !candidates.contains(where: { $0.contains("@") })
    {
      throw CommandError.severalBundles(folder: folder, candidates: candidates)
    } catch ModelFileError.notAModel(let path) where path == argument {
      guard !isPlainFolder(path) else { throw ModelFileError.noBundle(folder: path) }
      let file = try storedModel(path)
      return (path, file)
    }
  }

  /// Where the model is that an argument names, or the current version when there is none; a name in other letters'
  /// case is reported.
  ///
  /// - Throws: `ModelFileError`, and as ``ThisProject/search()``.
  func source(_ argument: String?) throws -> ModelSource {
    let search = try ThisProject.search()
    do {
      guard let argument else { return try ModelSource.current(bundlePath: model, in: search) }
      let source = try ModelSource.resolve(argument, bundlePath: model, in: search)
      if case .version(let version) = source {
        VersionNote.tell(argument, isTakenFor: [version.name, version.qualifiedName, version.bundleName])
      }
      return source
    } catch {
      if let excluded = try ThisProject.exclusion(under: model) { throw excluded }
      throw error
    }
  }

  /// The same with its inheritance looked through.
  ///
  /// - Throws: as ``resolve(_:)``, and ``CommandError`` for a model whose inheritance is broken.
  func resolveHierarchy(_ argument: String?) throws -> NamedModel {
    let (name, file) = try resolve(argument)
    do {
      return (name, file, try EntityHierarchy(file.model))
    } catch {
      throw CommandError(error, in: file, named: name)
    }
  }

  /// Two models, under the names that were typed where the versions' own, of two bundles, are the same.
  ///
  /// - Throws: as ``resolveHierarchy(_:)``.
  func resolveHierarchies(_ former: String, _ latter: String) throws -> (former: NamedModel, latter: NamedModel) {
    let models = [former, latter].concurrentMap { argument in Result { try resolveHierarchy(argument) } }
    var (old, new) = (try models[0].get(), try models[1].get())
    if old.name == new.name { (old.name, new.name) = (former, latter) }
    guard old.file.isOfStore || new.file.isOfStore else { return (old, new) }
    // What no store keeps would look like changes.
    let oldForm = try EntityHierarchy(old.hierarchy.model.storedForm)
    let newForm = try EntityHierarchy(new.hierarchy.model.storedForm)
    return ((old.name, old.file, oldForm), (new.name, new.file, newForm))
  }

  /// What a store that cannot be read as one looks like.
  private static let mayBeStore: Set<ForeignContent> = [.random, .unknown]

  /// The model in a store, else the version here that wrote it.
  private func storedModel(_ path: String) throws -> ModelFile {
    let reader: StoreReader
    do {
      reader = try StoreReader(path: path)
    } catch StoreError.notSQLite(_, let content) where !Self.mayBeStore.contains(content) {
      throw CommandError.neitherModelNorStore(path: path)
    }
    defer { reader.close() }
    if let model = try reader.identify(among: []).model { return ModelFile(ofStore: path, model) }
    let catalogue = try VersionCatalogue(self)
    guard let model = try catalogue.identify(by: reader).model else { throw CommandError.noModelInStore(path: path) }
    return ModelFile(model: model, path: path)
  }

  private func usable(under folder: String) throws -> (bundles: [ModelBundle], failure: ModelFileError?) {
    var bundles: [ModelBundle] = []
    var failures: [ModelFileError] = []
    let files = try ThisProject.search().files(under: folder)
    if files.isCutOff {
      Console.warn(
        "\(folder): has more folders than are looked into; name a bundle, or a folder in it, with --model PATH")
    }
    for path in files.bundles {
      do {
        bundles.append(try ModelBundle(at: path))
      } catch {
        failures.append(error)
      }
    }
    if model == nil || !bundles.isEmpty { failures.forEach { Console.warn("left out: \($0)") } }
    return (bundles, failures.first)
  }

  private func checkPath() throws(ModelFileError) {
    guard let missing = paths.first(where: { !FileManager.default.fileExists(atPath: $0) }) else { return }
    throw .unreadable(path: missing, reason: "there is no such file or folder")
  }

  private func isPlainFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let name = URL(fileURLWithPath: path).pathExtension.lowercased()
    return exists && isFolder.boolValue && ModelBundle.Form(rawValue: name) == nil
  }
}
