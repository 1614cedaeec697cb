public import ModelDescription
public import ModelFiles
public import PersistentStores
import VersionHashing

/// The reason why a ``Workspace`` cannot be read, or why the destination version of a store is not clear.
public enum WorkspaceError: AdvisedError, Hashable {
  /// A folder lacks a bundle.
  case noBundle(folder: String)
  /// There are several bundles, but one is needed; an option other than `--model` may name it.
  case severalBundles(folder: String, candidates: [String], option: String? = nil)
  /// Several bundles have the version of a store, and their current versions differ.
  case severalBundlesFit(store: String, candidates: [String])
  /// No bundle has a destination version for a store.
  case noVersionToReach(store: String)
  /// A store that is named as the destination does not exist; the candidates are similar paths.
  case noDestination(path: String, candidates: [String])
  /// A bundle does not have the version; the candidates are similar names.
  case unknownVersion(name: String, bundle: String, candidates: [String])
  /// No model of the workspace has an entity of a store.
  case otherApp(store: String)
  /// The source version and the destination version of a store are of different bundles.
  case otherBundle(store: String, version: String, bundle: String, destination: String)
  /// A version cannot be used.
  case brokenVersion(VersionError)
  /// No version has the configuration.
  case unknownConfiguration(String, model: String, configurations: [String])
  /// A given mapping model cannot be used.
  case badMapping(UnusableMapping)
  /// A mapping model of the project cannot be read.
  case brokenMapping(UnusableMapping)
  /// A model's structure has an error, with its location if the file has locations.
  case badModel(name: String, location: SourceLocation?, ModelStructureError)
  /// A path leads to a file that is neither a model nor a store.
  case neitherModelNorStore(path: String)
  /// A store does not contain a model, and no version of the workspace wrote it.
  case noModelInStore(path: String)
  /// The base to compare the models with does not exist.
  case noBase(folder: String)
  /// No version of the workspace has the hashes of a store.
  case storeOfNoVersion(path: String)
  /// The version or file to edit is not a `contents` file.
  case notEditable(name: String)
  /// The version of a store is not missing.
  case versionIsHere(store: String, version: String)
  /// The version of a store cannot be made.
  case notRecoverable(store: String, RecoveredModel.RecoveryError)
  /// A store's version is not among the versions before the destination.
  case noPath(store: String, version: String)
  /// The project's configuration excludes every bundle.
  case everythingExcluded(configuration: String)
  /// A bundle is named twice.
  case bundleTwice(bundle: String)
  /// Several bundles are named, but one is needed.
  case bundleTooMany(paths: [String])
  /// Versions of several bundles cannot be merged; the names are the locations of the contradiction, and the location
  /// is the one in the first version.
  case unmergeable(UnionError, names: [String], location: SourceLocation?)
  /// A merged model is named, but the model of a single bundle is needed.
  case unionOnly(name: String, what: String)
}

extension WorkspaceError {
  /// Takes an error in a model's structure, with its location if the file has locations.
  package init(_ error: ModelStructureError, in file: ModelFile, named name: String) {
    let again = file.redeclarations.first { $0.element == error.element }?.location
    self = .badModel(name: name, location: again ?? file.location(of: error.element), error)
  }

  /// Runs `body`, and throws errors in the model's structure with their location.
  package static func locating<Value>(
    in file: ModelFile, named name: String, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as ModelStructureError {
      throw WorkspaceError(error, in: file, named: name)
    }
  }
}

extension WorkspaceError {
  /// The folder, the bundle, the version, the model or the store.
  public var place: String? {
    switch self {
    case .severalBundles(let folder, _, _): folder == "." ? nil : folder
    case .severalBundlesFit(let store, _), .noVersionToReach(let store), .otherApp(let store),
      .otherBundle(let store, _, _, _), .versionIsHere(let store, _), .notRecoverable(let store, _),
      .noPath(let store, _):
      store
    case .brokenVersion(let failure): if case .structure = failure.cause { failure.bundle } else { nil }
    case .noModelInStore(let path), .neitherModelNorStore(let path), .storeOfNoVersion(let path): path
    case .badModel(let name, let location, _): location?.description ?? name
    case .noDestination(let path, _): path
    case .noBase(let name), .notEditable(let name), .unionOnly(let name, _): name
    case .everythingExcluded(let configuration): configuration
    case .bundleTwice(let bundle): bundle
    case .bundleTooMany(let paths): paths.joined(separator: ", ")
    case .noBundle, .unknownVersion, .unknownConfiguration, .badMapping, .brokenMapping, .unmergeable: nil
    }
  }

  /// The cause.
  public var cause: String {
    switch self {
    case .noBundle(let folder):
      "no model bundle (.xcdatamodeld, .xcdatamodel, .momd, .mom) under \(BundlePath.words(folder))"
    case .severalBundles(let folder, let candidates, _):
      "there are several model bundles\(folder == "." ? " here" : ""): \(NameList.text(candidates))"
    case .severalBundlesFit(_, let candidates): "its version is in \(candidates.joined(separator: " and in "))"
    case .noVersionToReach: "no bundle has a version to migrate to"
    case .noDestination(_, let candidates): CommonWords.missingFile + NearNames.clause(candidates)
    case .otherApp: "no model here has an entity of this store, so another app probably wrote it"
    case .unknownVersion(let name, let bundle, let candidates):
      CommonWords.unknown("version", name, in: bundle, near: [])
        + (candidates.isEmpty ? "; it has no versions" : "; \(NearNames.advice(for: name, candidates))")
    case .otherBundle(_, let version, let bundle, let destination):
      "written by \(version) of \(bundle), but \(destination) is of another bundle"
    case .brokenVersion(let failure):
      switch failure.cause {
      case .file(let error): error.locatedWords.cause
      case .structure(let error): "version \(failure.version) cannot be used: \(error)"
      }
    case .unknownConfiguration(let name, let model, let configurations):
      CommonWords.unknown("configuration", name, in: model, near: [])
        + (configurations.isEmpty ? "" : "; it has \(configurations.joined(separator: ", "))")
    case .badMapping(let mapping), .brokenMapping(let mapping): mapping.locatedWords.cause
    case .noModelInStore: "no version here wrote the store, and it does not contain a model"
    case .neitherModelNorStore: "neither a model nor an SQLite store"
    case .noBase: "neither a folder nor a git revision"
    case .badModel(_, _, let error): error.description
    case .storeOfNoVersion: "no version of the bundles here has the hashes of this store"
    case .notEditable: "only the contents file of a version can be edited"
    case .versionIsHere(_, let version): "written by \(version), which is here, so no version is missing"
    case .notRecoverable(_, let reason): "its version cannot be made: \(reason)"
    case .noPath(_, let version): "its version is not among the versions before \(version)"
    case .everythingExcluded: "its “exclude” leaves out every model here"
    case .bundleTwice: "named twice, but a merged model has one version of each bundle"
    case .bundleTooMany: "this command works on one bundle"
    case .unmergeable(let error, let names, _): error.description(calling: names)
    case .unionOnly(_, let what): "\(what) of a merged model is not supported"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .noBundle(let folder):
      SwiftDataSources.advice(inFolder: folder) ?? "name the bundle: \(option: "--model", "PATH")"
    case .severalBundlesFit, .noModelInStore: "name the bundle: \(option: "--model", "PATH")"
    // A version of bundles with one name has the name of none.
    case .severalBundles(_, let candidates, _)
    where Set(candidates.map(BundlePath.stem)).count < candidates.count:
      "name one: \(option: "--model", "PATH")"
    case .severalBundles(_, _, nil): "name one: \(option: "--model", "PATH"); or name a version as Bundle@version"
    case .severalBundles(_, _, let name?):
      "name one: \(option: "--model", "PATH"); or name a version: \(option: name, "Bundle@version")"
    case .noVersionToReach, .otherApp:
      "name the app's bundle: \(option: "--model", "PATH"); or name the version: \(option: "--to", "Bundle@version")"
    case .noDestination, .unknownVersion, .versionIsHere, .unmergeable: nil
    case .otherBundle(_, _, let bundle, _): "choose a version of \(bundle), or omit the version: \(option: "--to")"
    case .brokenVersion(let failure):
      switch failure.cause {
      case .file(let error): error.locatedWords.advice
      case .structure: "see the location: \(run: "modelctl", "check", ShellWord.argument(failure.bundle))"
      }
    case .unknownConfiguration(_, _, let configurations):
      configurations.isEmpty ? "omit the configuration: \(option: "--configuration")" : nil
    case .badMapping(let mapping): mapping.locatedWords.advice
    case .brokenMapping(let mapping): Self.advice(onBroken: mapping.locatedWords.advice)
    case .neitherModelNorStore: "name a version, a bundle, a contents file, a .mom or a store"
    case .noBase: "name a folder that has the earlier models, or a branch, a tag or a commit, such as origin/main"
    case .badModel: Self.seeOthers
    case .storeOfNoVersion(let store), .noPath(let store, _):
      "see its version: \(run: "modelctl", "status", onStore: store)"
    case .notEditable:
      "name a contents file: \(option: "--in", "PATH"); or make one: \(run: "modelctl", "export", "--help")"
    case .notRecoverable:
      "find it in git and export it: \(run: "modelctl", "export", "REV:PATH", "--output", "PATH")"
    case .everythingExcluded: "exclude fewer models, or name a bundle"
    case .bundleTwice: "name the bundle once"
    case .bundleTooMany: "name one bundle: \(option: "--model", "PATH")"
    case .unionOnly: "name one of its bundles: \(option: "--model", "PATH")"
    }
  }

  private static let seeOthers: Advice = "see the other errors: \(run: "modelctl", "check")"

  private static func advice(onBroken own: Advice?) -> Advice {
    let others: Advice =
      "choose other mapping models: \(option: "--mapping", "PATH"); or ignore all: \(option: "--no-mappings")"
    return own.map { "\($0); or \(others)" } ?? "fix it, or \(others)"
  }
}

extension WorkspaceError: LocatedError {
  /// The location in a model's file, the cause and the remedy.
  package var located: (location: SourceLocation, words: String)? {
    switch self {
    case .badModel(_, let location?, _): return (location, ErrorWords(cause, advice).sentence)
    case .brokenVersion(let failure):
      guard case .file(let error) = failure.cause else { return nil }
      return error.located
    case .unmergeable(let error, let names, let location?):
      guard case .merge(let cause) = error.reason else { return nil }
      return cause.words(inFirstBeside: names.last ?? "").map { (location, $0) }
    default: return nil
    }
  }
}
