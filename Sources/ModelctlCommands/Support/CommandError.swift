import ModelKit

/// What only the command line can get wrong; the message names the place, the cause and what to do.
enum CommandError: Error, Hashable {
  case unwritable(path: String, reason: String)
  case reportMissing(path: String, reason: String)
  case noBundle(folder: String)
  case severalBundles(folder: String, candidates: [String], option: String? = nil)
  case severalBundlesFit(store: String, candidates: [String])
  case badValue(option: String, text: String, reason: String)
  case noVersionToReach(store: String)
  case unknownVersion(name: String, bundle: String, candidates: [String])
  case brokenVersion(bundle: String, version: String, reason: String)
  case noModelInStore(path: String)
  case storeOfNoVersion(path: String)
  case unknownNames(option: String, names: [String], near: [String])
  case formerNames(option: String, names: [String], version: String)
  case noLockFile(bundles: [String])
  case neitherModelNorStore(path: String)
  case unknownConfiguration(String, model: String, configurations: [String])
  case badModel(name: String, reason: String)
  case badMapping(reason: String)
  case brokenMapping(reason: String)
  case noWay(store: String, version: String)
  case everythingExcluded(configuration: String)
  case noBase(folder: String)
  case otherHashes(model: String, entities: [String])
  case uncertainHashes(model: String, reason: String)
  case notEditable(name: String)
  case changedMeanwhile(path: String)
  case noCacheFolder
  case fileExists(path: String)
  case versionIsHere(store: String, version: String)
  case notRecoverable(store: String, reason: String)
  case nothingToUndo(path: String, isChanged: Bool)
  case released(version: String, bundle: String, lock: String)
  case breaksRule(path: String, rule: String, message: String)
  case unknownEntity(name: String, model: String, candidates: [String])
  case pictureOnTerminal
  case bundleTwice(bundle: String)
  case bundleTooMany(paths: [String])
  case unmergeable(reason: String)
  case unionOnly(name: String, what: String)
  case severalLosingVersions(commands: [String])

  init(_ failure: VersionFailure) {
    self = .brokenVersion(bundle: failure.bundle, version: failure.version, reason: failure.reason)
  }

  /// Takes what is wrong with a model's structure, with its place where the file has places.
  init(_ error: ModelStructureError, in file: ModelFile, named name: String) {
    let again = file.redeclarations.first { $0.element == error.element }?.location
    self = .badModel(
      name: (again ?? file.location(of: error.element)).map { "\($0)" } ?? name, reason: "\(error)")
  }
}

extension CommandError {
  /// Refuses the name of an entity that is not there.
  ///
  /// - Throws: ``unknownEntity(name:model:candidates:)`` with the names that are near.
  static func checkEntity(_ name: String, of model: String, among known: [String]) throws(CommandError) {
    guard !known.contains(name) else { return }
    throw .unknownEntity(
      name: name, model: model, candidates: NearNames.nearest(to: name, among: known.sorted()))
  }
}

extension CommandError {
  /// Why it is not sure that a compiled model was read whole, nil for other errors.
  var doubt: String? {
    switch self {
    case .otherHashes(let model, let entities):
      "\(model): read from the compiled model, \(entities.joined(separator: ", ")) have other version hashes than its "
        + "bundle records"
    case .uncertainHashes(let model, let reason): "\(model): \(reason), so that its version hashes are not known"
    default: nil
    }
  }
}

extension CommandError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unwritable(let path, let reason):
      "\(path): cannot be written: \(reason)"
    case .reportMissing(let path, let reason):
      "\(path): cannot be written: \(reason); what was told of the stores is done and stays, only the report is missing"
    case .noBundle(let folder):
      "no model bundle (.xcdatamodeld, .xcdatamodel, .momd, .mom) under \(folder); name one with --model PATH"
    case .severalBundles(let folder, let candidates, let option):
      "\(folder): there are several model bundles: \(NameList.text(candidates)); "
        + "name one with --model PATH, or a version \(option.map { "with \($0)" } ?? "as") Bundle@version"
    case .severalBundlesFit(let store, let candidates):
      "\(store): its version is in \(candidates.joined(separator: " and in ")); name one of them: "
        + candidates.map { "--model \(ShellWord(path: $0).text)" }.joined(separator: " or ")
    case .badValue(let option, let text, let reason):
      "\(option) \(text): \(reason)"
    case .noVersionToReach(let store):
      "\(store): no bundle holds a version to migrate to; name the bundle with --model PATH and the version with --to"
    case .unknownVersion(let name, let bundle, let candidates):
      "\(bundle): has no version “\(name)”"
        + (candidates.isEmpty
          ? "; it has none at all" : "; did you mean \(NameList.text(candidates.map { "“\($0)”" }))?")
    case .brokenVersion(let bundle, let version, let reason):
      reason.hasPrefix(bundle)
        ? reason
        : "\(bundle): version \(version) cannot be used: \(reason); see where with: modelctl check "
          + ShellWord(path: bundle).text
    case .noModelInStore(let path):
      "\(path): no version here wrote the store and it holds no model of its own; name the bundle with --model PATH"
    case .storeOfNoVersion(let path):
      "\(path): no version of the bundles here has its hashes; see what it is with: modelctl status \(ShellWord(path: path).text)"
    case .unknownNames(let option, let names, let near):
      """
      \(option): no such entity or property: \(NameList.text(names)); \
      \(near.isEmpty ? "write it as Entity or Entity.property, and" : "did you mean \(NameList.text(near.map { "“\($0)”" }))?") \
      see the names with: modelctl show\(Invocation.current.options(["--model"]))
      """
    case .formerNames(let option, let names, let version):
      """
      \(option): only an older version has \(names.joined(separator: ", ")); the option takes names of \(version), the \
      version to reach, which are printed by: modelctl show \(ShellWord(version).text)\
      \(Invocation.current.options(["--model"]))
      """
    case .noLockFile(let bundles):
      bundles.isEmpty
        ? "--allow-data-loss @lock: there is no bundle here; name one with --model PATH"
        : "--allow-data-loss @lock: \(NameList.text(bundles)) \(bundles.count == 1 ? "has" : "have") no lock file; record "
          + "what users have with: modelctl lock --all \(bundles.map { ShellWord(path: $0).text }.joined(separator: " "))"
    case .neitherModelNorStore(let path):
      "\(path): neither a model nor an SQLite store; name a version, a bundle, a contents file, a .mom or a store"
    case .unknownConfiguration(let name, let model, let configurations):
      "\(model): has no configuration “\(name)”; "
        + (configurations.isEmpty ? "leave --configuration out" : "it has \(configurations.joined(separator: ", "))")
    case .pictureOnTerminal:
      "a terminal shows no PNG; name a file with --format png=FILE"
    case .unknownEntity(let name, let model, let candidates):
      "\(model): has no entity “\(name)”"
        + (candidates.isEmpty
          ? "; it has none at all" : "; did you mean \(candidates.map { "“\($0)”" }.joined(separator: ", "))?")
    case .badMapping(let reason): reason
    case .noBase(let folder):
      "--base \(folder): there is no such folder, and it is no revision of git; name a folder with the models as they "
        + "were, or a branch, a tag or a commit, such as origin/main"
    case .everythingExcluded(let configuration):
      "\(configuration): its “exclude” leaves out every model here; leave out less, or name a bundle"
    case .brokenMapping(let reason):
      "\(reason); it is not passed over in silence: mend it, name others with --mapping, or use --no-mappings"
    case .noWay(let store, let version):
      "\(store): its version is not among those before \(version); see which one it has with: modelctl status \(ShellWord(path: store).text)"
        + Invocation.current.options(Invocation.models)
    case .otherHashes, .uncertainHashes:
      "\(doubt ?? ""); nothing was written, so name the contents file that it was made of"
    case .notEditable(let name):
      "\(name): only the contents file of a version can be edited; name one with --in, or see how one is made with: modelctl export --help"
    case .changedMeanwhile(let path):
      "\(path): changed meanwhile, and was left as it is; run it again"
    case .fileExists(let path):
      "\(path): is there already, and is not replaced; edit it, or leave --write out to have the text on standard output"
    case .versionIsHere(let store, let version):
      "\(store): its version is here, \(version), so that none is missing"
    case .notRecoverable(let store, let reason):
      "\(store): its version cannot be made: \(reason); look for it in git, and make it with: modelctl export REV:PATH --to PATH"
    case .noCacheFolder:
      "there is no cache folder in which edits are kept, as neither XDG_CACHE_HOME nor HOME is set; take it back with: "
        + "git restore --patch"
    case .nothingToUndo(let path, let isChanged):
      isChanged
        ? "\(path): was changed since its last edit, so nothing is taken back; see the difference with: git diff"
        : "\(path): no edit of it is kept, so there is nothing to take back; see its history with: git log -p"
    case .released(let version, let bundle, let lock):
      "\(bundle): users have version \(version), as \(lock) records, and its stores would no longer open; make the next "
        + "version with: modelctl new-version --model \(ShellWord(path: bundle).text), or edit it all the same with "
        + "--edit-released \(ShellWord(version).text)"
    case .breaksRule(let path, let rule, let message):
      "\(path): \(message) [\(rule)]; nothing was written"
    case .bundleTwice(let bundle):
      "\(bundle): named twice; a merged model has one version of each bundle, so name it once"
    case .bundleTooMany(let paths):
      "--model \(paths.joined(separator: ", --model ")): this command works on one bundle; name one"
    case .unmergeable(let reason): reason
    case .unionOnly(let name, let what):
      "\(name): \(what) of a merged model is not supported; name one of its bundles with --model PATH"
    case .severalLosingVersions(let commands):
      """
      --losses: data is lost on the way to \(commands.count) versions; write the names of one at a time: \
      \(commands.map { "\($0) --losses \(LossConsent.usualFile)" }.joined(separator: "; "))
      """
    case .badModel(let name, let reason):
      "\(name): \(reason); see what else is wrong with: modelctl check"
    }
  }
}
