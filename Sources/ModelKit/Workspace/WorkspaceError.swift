public import ModelDescription
public import ModelFiles
public import PersistentStores
import VersionHashing

/// Why a ``Workspace`` cannot be read, or does not say what a store is to become.
public enum WorkspaceError: Error, Hashable, Sendable {
  /// There is no bundle below a folder.
  case noBundle(folder: String)
  /// There are several bundles where one is needed; an option other than `--model` may name the one.
  case severalBundles(folder: String, candidates: [String], option: String? = nil)
  /// A store's version is in several bundles, which lead to different ones.
  case severalBundlesFit(store: String, candidates: [String])
  /// No bundle says which version a store is to get.
  case noVersionToReach(store: String)
  /// A bundle has no version of the name; the candidates are near it.
  case unknownVersion(name: String, bundle: String, candidates: [String])
  /// No model here has an entity of a store.
  case otherApp(store: String)
  /// A store is of another bundle than the version that it is to get.
  case otherBundle(store: String, version: String, bundle: String, destination: String)
  /// A version cannot be used.
  case brokenVersion(VersionError)
  /// No version has the configuration.
  case unknownConfiguration(String, model: String, configurations: [String])
  /// A mapping model that was named cannot be used.
  case badMapping(UnusableMapping)
  /// A mapping model that was found cannot be read.
  case brokenMapping(UnusableMapping)
  /// A model's structure is wrong, at a location where the file has locations.
  case badModel(name: String, location: SourceLocation?, ModelStructureError)
  /// A path leads to something that is no model and no store.
  case neitherModelNorStore(path: String)
  /// A store holds no model, and no version here wrote it.
  case noModelInStore(path: String)
  /// What models are to be held against is not there.
  case noBase(folder: String)
  /// No version here has the hashes of a store.
  case storeOfNoVersion(path: String)
  /// A version or a file of another form than `contents` is named where one is to be edited.
  case notEditable(name: String)
  /// The version of a store is not missing.
  case versionIsHere(store: String, version: String)
  /// The version of a store cannot be made.
  case notRecoverable(store: String, RecoveredModel.RecoveryError)
  /// A store's version is not among those before the one to reach.
  case noPath(store: String, version: String)
  /// The project's configuration leaves out every bundle.
  case everythingExcluded(configuration: String)
  /// A bundle is named twice.
  case bundleTwice(bundle: String)
  /// Several bundles are named where one is needed.
  case bundleTooMany(paths: [String])
  /// Versions of several bundles cannot be merged; the names are the locations of what contradicts, the location is
  /// that in the first version.
  case unmergeable(UnionError, names: [String], location: SourceLocation?)
  /// A merged model is named where one bundle's is needed.
  case unionOnly(name: String, what: String)
}

extension WorkspaceError {
  /// Takes what is wrong with a model's structure, with its location where the file has locations.
  package init(_ error: ModelStructureError, in file: ModelFile, named name: String) {
    let again = file.redeclarations.first { $0.element == error.element }?.location
    self = .badModel(name: name, location: again ?? file.location(of: error.element), error)
  }

  /// Does something with a model; what is wrong with its structure is thrown with its location.
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

extension WorkspaceError: CustomStringConvertible {
  /// The place, the cause and what to do, without a full stop.
  public var description: String {
    switch self {
    case .noBundle(let folder):
      "no model bundle (.xcdatamodeld, .xcdatamodel, .momd, .mom) under \(BundlePath.words(folder)); name one with --model PATH"
    case .severalBundles(let folder, let candidates, let option):
      "\(BundlePath.words(folder)): there are several model bundles: \(NameList.text(candidates)); "
        + "name one with --model PATH, or a version \(option.map { "with \($0)" } ?? "as") Bundle@version"
    case .severalBundlesFit(let store, let candidates):
      "\(store): its version is in \(candidates.joined(separator: " and in ")); name one of them: "
        + candidates.map { "--model \(ShellWord(path: $0).text)" }.joined(separator: " or ")
    case .noVersionToReach(let store):
      "\(store): no bundle holds a version to migrate to; name the bundle with --model PATH and the version with --to"
    case .otherApp(let store):
      "\(store): no model here has an entity of this store, so another app probably wrote it; name the bundle of that app "
        + "with --model PATH, or the version to reach with --to Bundle@version"
    case .unknownVersion(let name, let bundle, let candidates):
      "\(bundle): has no version “\(name)”"
        + (candidates.isEmpty
          ? "; it has none at all" : "; \(NearNames.advice(for: name, candidates))")
    case .otherBundle(let store, let version, let bundle, let destination):
      "\(store): written by \(version) of \(bundle), and \(destination) is of another bundle; "
        + "choose a version of \(bundle) with --to, or leave --to out"
    case .brokenVersion(let failure):
      switch failure.cause {
      case .file(let error): error.description
      case .structure(let error):
        "\(failure.bundle): version \(failure.version) cannot be used: \(error); see where with: "
          + "modelctl check \(ShellWord(path: failure.bundle).text)"
      }
    case .unknownConfiguration(let name, let model, let configurations):
      "\(model): has no configuration “\(name)”; "
        + (configurations.isEmpty ? "leave --configuration out" : "it has \(configurations.joined(separator: ", "))")
    case .badMapping(let mapping): mapping.description
    case .brokenMapping(let mapping):
      "\(mapping); it is not passed over in silence: mend it, name others with --mapping, or use --no-mappings"
    case .noModelInStore(let path):
      "\(path): no version here wrote the store and it holds no model of its own; name the bundle with --model PATH"
    case .neitherModelNorStore(let path):
      "\(path): neither a model nor an SQLite store; name a version, a bundle, a contents file, a .mom or a store"
    case .noBase(let folder):
      "--base \(folder): there is no such folder, and it is no revision of git; name a folder with the models as they "
        + "were, or a branch, a tag or a commit, such as origin/main"
    case .badModel(let name, let location, let error): "\(location?.description ?? name): \(Self.words(error))"
    case .storeOfNoVersion(let path):
      "\(path): no version of the bundles here has its hashes; see what it is with: modelctl status \(ShellWord(path: path).text)"
    case .notEditable(let name):
      "\(name): only the contents file of a version can be edited; name one with --in, or see how one is made with: modelctl export --help"
    case .versionIsHere(let store, let version): "\(store): its version is here, \(version), so that none is missing"
    case .notRecoverable(let store, let reason):
      "\(store): its version cannot be made: \(reason); look for it in git, and make it with: modelctl export REV:PATH --to PATH"
    case .noPath(let store, let version):
      "\(store): its version is not among those before \(version); see which one it has with: modelctl status "
        + ShellWord(path: store).text
    case .everythingExcluded(let configuration):
      "\(configuration): its “exclude” leaves out every model here; leave out less, or name a bundle"
    case .bundleTwice(let bundle):
      "\(bundle): named twice; a merged model has one version of each bundle, so name it once"
    case .bundleTooMany(let paths):
      "--model \(paths.joined(separator: ", --model ")): this command works on one bundle; name one"
    case .unmergeable(let error, let names, _): error.description(calling: names)
    case .unionOnly(let name, let what):
      "\(name): \(what) of a merged model is not supported; name one of its bundles with --model PATH"
    }
  }
}

extension WorkspaceError: LocatedError {
  /// The location in a model's file, the cause and what to do.
  package var located: (location: SourceLocation, words: String)? {
    switch self {
    case .badModel(_, let location?, let error): return (location, Self.words(error))
    case .brokenVersion(let failure):
      guard case .file(let error) = failure.cause else { return nil }
      return error.located
    case .unmergeable(let error, let names, let location?):
      guard case .merge(let cause) = error.reason else { return nil }
      return cause.words(inFirstBeside: names.last ?? "").map { (location, $0) }
    default: return nil
    }
  }

  private static func words(_ error: ModelStructureError) -> String {
    "\(error); see what else is wrong with: modelctl check"
  }
}
