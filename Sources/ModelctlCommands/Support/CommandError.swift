import Foundation
import ModelKit

/// What only the command line can get wrong; the message names the place, the cause and what to do.
enum CommandError: Error, Hashable {
  case unwritable(path: String, reason: String)
  case reportMissing(path: String, reason: String)
  case unreported(stores: [String], path: String, reason: String)
  case badValue(option: String, text: String, AttributeValueParseError)
  case noAttribute(option: String, text: String, name: String)
  case unknownNames(option: String, names: [String], near: [String])
  case formerNames(option: String, names: [String], version: String)
  case noLockFile(bundles: [String])
  case otherHashes(model: String, entities: [String])
  case uncertainHashes(model: String, reason: String)
  case changedMeanwhile(path: String)
  case noCacheFolder
  case fileExists(path: String)
  case inTheWay(path: String)
  case noStep(source: String, destination: String, StepMismatch)
  case nothingToUndo(path: String, isChanged: Bool)
  case released(version: String, bundle: String, lock: String, isRetired: Bool)
  /// The version is current.
  case currentAlready(version: String, bundle: String)
  case breaksRule(path: String, rule: String, message: String)
  case unknownEntity(name: String, model: String, candidates: [String])
  case pictureOnTerminal
  case severalLosingVersions(commands: [String])
  case unreadableRules(path: String)
  case unusableVersions([VersionError])
  case folderForFile(path: String, file: String)
  case noTypeName(String, possible: String)
}

/// Why two models are not source and destination of one step.
enum StepMismatch: Hashable {
  case sameVersion
  case otherBundle
  case noVersion
}

extension CommandError {
  /// Reports on stores that are written, of which an error is not to look as if nothing was done.
  ///
  /// - Parameters:
  ///   - isWritten: false where nothing was written after all.
  ///   - report: gives the result.
  /// - Throws: ``unreported(stores:path:reason:)`` where the result cannot be written, else what the report throws.
  static func afterWriting(_ stores: [String], isWritten: Bool = true, _ report: () throws -> Void) throws {
    do {
      try report()
    } catch CommandError.unwritable(let path, let reason) where isWritten {
      throw CommandError.unreported(stores: stores, path: path, reason: reason)
    }
  }

  /// Refuses the name of an entity that is not there.
  static func checkEntity(_ name: String, of model: String, among known: [String]) throws(CommandError) {
    guard !known.contains(name) else { return }
    throw .unknownEntity(name: name, model: model, candidates: NearNames.candidates(for: name, among: known.sorted()))
  }

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
    case .unreadableRules(let path):
      "\(path): no file of rules in UTF-8 that can be read is there; give its path to --rules"
    case .unusableVersions(let failures):
      """
      \(NameList.text(failures.map { "\($0.version) of \($0.bundle)" })) cannot be used, so that nothing is known of \
      stores of \(failures.count == 1 ? "it" : "them"); see why with: modelctl check \
      \(Set(failures.map(\.bundle)).sorted().map { ShellWord(path: $0).text }.joined(separator: " "))
      """
    case .folderForFile(let path, let file):
      "\(path): ends with a slash, as the path of a folder does, but is to be a file; name the file, such as \(file)"
    case .noTypeName(let name, let possible):
      "--name \(ShellWord(name).text): “\(name)” cannot be the name of the type here; write --name \(possible)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
    case .reportMissing(let path, let reason):
      "\(path): cannot be written: \(reason); what was told of the stores is done and stays, only the report is missing"
    case .unreported(let stores, let path, let reason):
      """
      \(path): cannot be written: \(reason); \(NameList.text(stores)) \(stores.count == 1 ? "is" : "are") written and \
      \(stores.count == 1 ? "stays" : "stay") so, only what would be said about it is missing
      """
    case .badValue(let option, let text, let error): "\(option) \(text): \(error)"
    case .noAttribute(let option, let text, let name):
      "\(option) \(text): \(name) is no attribute, and only attributes are given values"
    case .unknownNames(let option, let names, let near):
      """
      \(option): no such entity or property: \(NameList.text(names))\
      \(NearNames.clause(near, else: "; write it as Entity or Entity.property")); see the names with: modelctl show\(GivenOptions.current.model)
      """
    case .formerNames(let option, let names, let version):
      """
      \(option): only an older version has \(names.joined(separator: ", ")); the option takes names of \(version), the \
      version to reach, which are printed by: modelctl show \(ShellWord(version).text)\
      \(GivenOptions.current.model)
      """
    case .noLockFile(let bundles):
      bundles.isEmpty
        ? "--allow-data-loss @lock: there is no bundle here; name one with --model PATH"
        : "--allow-data-loss @lock: \(NameList.text(bundles)) \(bundles.count == 1 ? "has" : "have") no lock file; record "
          + "what users have with: modelctl lock --all \(bundles.map { ShellWord(path: $0).text }.joined(separator: " "))"
    case .pictureOnTerminal: "a terminal shows no PNG; name a file with --format png=FILE"
    case .unknownEntity(let name, let model, let candidates):
      "\(model): has no entity “\(name)”"
        + (candidates.isEmpty
          ? "; it has none at all" : "; \(NearNames.advice(for: name, candidates))")
    case .otherHashes, .uncertainHashes:
      "\(doubt ?? ""); nothing was written, so name the contents file that it was made of"
    case .changedMeanwhile(let path): "\(path): changed meanwhile, and was left as it is; run it again"
    case .fileExists(let path):
      "\(path): is there already, and is not replaced; edit it, or leave --write out to have the text on standard output"
    case .inTheWay(let path): "\(path): exists already; name another path, or remove it"
    case .noStep(let source, let destination, .sameVersion):
      "\(source), \(destination): Core Data treats both as one version, and migrates no store between them; name the "
        + "version that stores have, then the version they get"
    case .noStep(let source, let destination, .otherBundle):
      "\(source), \(destination): versions of two bundles; a mapping model is between two versions of one bundle"
    case .noStep(let source, let destination, .noVersion):
      "\(source), \(destination): a mapping model is between two versions of a bundle; to make a model a version, see: "
        + "modelctl export --help"
    case .noCacheFolder:
      "there is no cache folder in which edits are kept, as neither XDG_CACHE_HOME nor HOME is set; take it back with: "
        + "git restore --patch"
    case .nothingToUndo(let path, let isChanged):
      isChanged
        ? "\(path): was changed since its last edit, so nothing is taken back; see the difference with: git diff"
        : "\(path): no edit of it is kept, so there is nothing to take back; see its history with: git log -p"
    case .currentAlready(let version, let bundle): "\(bundle): \(version) is the current version already; nothing to do"
    case .released(let version, let bundle, let lock, let isRetired):
      "\(bundle): \(isRetired ? "version \(version) is retired" : "users have version \(version)"), as \(lock) records, and its stores would no longer open; make the next "
        + "version with: modelctl new-version --model \(ShellWord(path: bundle).text), or edit it all the same with "
        + "--allow-released"
    case .breaksRule(let path, let rule, let message): "\(path): \(message) [\(rule)]; nothing was written"
    case .severalLosingVersions(let commands):
      """
      --write-losses: data is lost on the way to \(commands.count) versions; write the names of one at a time: \
      \(commands.map { "\($0) --write-losses \(LossConsent.usualFile)" }.joined(separator: "; "))
      """
    }
  }
}

extension CommandError {
  /// Refuses names of entities and properties that no model has, with those that are near.
  static func unknownNames(_ names: [String], option: String, among models: [EntityHierarchy]) -> CommandError {
    let near = names.prefix(3).compactMap { name in
      NearNames.close(to: name, among: models.flatMap { $0.elementNames(like: name) }).first
    }
    return .unknownNames(option: option, names: names, near: near)
  }

  /// What the system says of a file or folder that could not be made, and what to do.
  static func unwritable(_ path: String, _ error: any Error) -> CommandError {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard (try? folder.checkResourceIsReachable()) == true else {
      return .unwritable(path: path, reason: "there is no folder “\(folder.relativePath)”; make it first")
    }
    let reason = error.localizedDescription
    return .unwritable(
      path: path,
      reason: "\(reason.hasSuffix(".") ? String(reason.dropLast()) : reason); \(advice(for: error as NSError, folder))")
  }

  /// What to do, by the cause: room and permissions are not each other's remedy.
  private static func advice(for error: NSError, _ folder: URL) -> String {
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    let isFull =
      error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileWriteOutOfSpace.rawValue
      || cause.domain == NSPOSIXErrorDomain && [Int(ENOSPC), Int(EDQUOT)].contains(cause.code)
    if isFull { return "free some space or name another file" }
    let isForbidden =
      error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileWriteNoPermission.rawValue
      || cause.domain == NSPOSIXErrorDomain && [Int(EACCES), Int(EPERM)].contains(cause.code)
    return isForbidden
      ? "look at the permissions of the folder “\(folder.relativePath)”, or name another file" : "name another file"
  }
}
