import Foundation
import ModelKit

/// An error of the command line.
///
/// The message has the location, the cause and the advice.
enum CommandError: Error, Hashable {
  case unwritable(path: String, reason: String, advice: Advice? = nil)
  case reportMissing(path: String, reason: String)
  case unreported(stores: [String], path: String, reason: String)
  case badValue(option: String, text: String, AttributeValueParseError)
  case noAttribute(option: String, text: String, name: String)
  case unknownNames(option: String, names: [String], near: [String], bundle: String?)
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
  /// The version is already current.
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

/// The reason why two models are not the source and destination of a single step.
enum StepMismatch: Hashable {
  case sameVersion
  case otherBundle
  case noVersion
}

extension CommandError {
  /// Prints a report on written stores, so that an error in it does not look like a failure of the command.
  ///
  /// - Parameters:
  ///   - isWritten: false if the command wrote nothing.
  ///   - report: writes the result.
  /// - Throws: ``unreported(stores:path:reason:)`` if the result cannot be written, and the errors of the report.
  static func afterWriting(_ stores: [String], isWritten: Bool = true, _ report: () throws -> Void) throws {
    do {
      try report()
    } catch CommandError.unwritable(let path, let reason, _) where isWritten {
      throw CommandError.unreported(stores: stores, path: path, reason: reason)
    }
  }

  /// Refuses the name of an unknown entity.
  static func checkEntity(_ name: String, of model: String, among known: [String]) throws(CommandError) {
    guard !known.contains(name) else { return }
    throw .unknownEntity(name: name, model: model, candidates: NearNames.candidates(for: name, among: known.sorted()))
  }

  /// The reason to doubt that a compiled model was read completely, or nil for other errors.
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

extension CommandError: AdvisedError {
  var place: String? { message.place }
  var cause: String { message.words.cause }
  var advice: Advice? { message.words.advice }

  private typealias Message = (place: String?, words: ErrorWords)

  private var message: Message {
    switch self {
    case .unwritable, .reportMissing, .unreported, .folderForFile, .fileExists, .inTheWay, .unreadableRules,
      .pictureOnTerminal:
      fileMessage
    case .badValue, .noAttribute, .unknownNames, .formerNames, .noTypeName, .unknownEntity: nameMessage
    default: versionMessage
    }
  }

  /// The words of errors about files.
  private var fileMessage: Message {
    switch self {
    case .unreadableRules(let path):
      (path, .init("there is no readable rules file in UTF-8", "name another file: \(option: "--rules", "FILE")"))
    case .folderForFile(let path, let file):
      (path, .init("a path that ends with a slash is a folder", "name a file, such as \(file)"))
    case .unwritable(let path, let reason, let advice): (path, .init("cannot be written: \(reason)", advice))
    case .reportMissing(let path, let reason):
      (
        path,
        .init(
          "cannot be written: \(reason)", "only the report is missing; the results printed for the stores are valid")
      )
    case .unreported(let stores, let path, let reason):
      (
        path,
        .init(
          "cannot be written: \(reason)",
          "only the report is missing: \(NameList.text(stores)) \(stores.count == 1 ? "is" : "are") written")
      )
    case .fileExists(let path):
      (path, .init(CommonWords.exists, "edit the file, or remove --write to print the text"))
    case .inTheWay(let path): (path, .init(CommonWords.exists, "choose another path, or remove it"))
    default: (nil, .init("a terminal cannot show a PNG", "name a file: \(option: "--format", "png=FILE")"))
    }
  }

  /// The argument of `show` for a bundle, or for nil the option of the models that the command was given.
  private func shown(_ bundle: String?) -> String {
    bundle.map { " \(ShellWord(path: $0).text)" } ?? GivenOptions.current.model
  }

  /// The words of errors about names and values.
  private var nameMessage: Message {
    switch self {
    case .badValue(let option, let text, let error): ("\(option) \(text)", .init("\(error)"))
    case .noAttribute(let option, let text, let name):
      ("\(option) \(text)", .init("\(name) is not an attribute, and only attributes have values"))
    case .unknownNames(let option, let names, let near, let bundle):
      (
        option,
        .init(
          "there is no entity or property \(NameList.text(names))"
            + NearNames.clause(near, else: "; write it as Entity or Entity.property"),
          "list the names: \(command: "modelctl show\(shown(bundle))")")
      )
    case .formerNames(let option, let names, let version):
      (
        option,
        .init(
          "only an older version has \(names.joined(separator: ", ")), and \(option) needs names of \(version)",
          "list its names: \(command: "modelctl show \(ShellWord(version).text)\(GivenOptions.current.model)")")
      )
    case .noTypeName(let name, let possible):
      (
        "--name \(ShellWord(name).text)",
        .init("“\(name)” is not a valid name of a Swift type here", "use: \(option: "--name", possible)")
      )
    case .unknownEntity(let name, let model, let candidates):
      (
        nil,
        .init(
          "\(model) has no entity “\(name)”"
            + (candidates.isEmpty ? "; it has no entities" : "; \(NearNames.advice(for: name, candidates))"))
      )
    default: (nil, .init(""))
    }
  }

  /// The words of errors about versions and their records.
  private var versionMessage: Message {
    switch self {
    case .unusableVersions(let failures):
      (
        nil,
        .init(
          """
          modelctl cannot use \(NameList.text(failures.map { "\($0.version) of \($0.bundle)" })), so it knows nothing \
          about stores of \(failures.count == 1 ? "this version" : "these versions")
          """,
          "see the cause: \(command: Self.command(["modelctl", "check"], Set(failures.map(\.bundle)).sorted()))")
      )
    case .noLockFile(let bundles):
      bundles.isEmpty
        ? ("--allow-data-loss @lock", .init("there is no bundle here", "name a bundle: \(option: "--model", "PATH")"))
        : (
          "--allow-data-loss @lock",
          .init(
            "\(NameList.text(bundles)) \(bundles.count == 1 ? "has" : "have") no lock file",
            "record the released versions: \(command: Self.command(["modelctl", "lock", "--all"], bundles))")
        )
    case .otherHashes, .uncertainHashes:
      (nil, .init("\(doubt ?? ""); modelctl wrote nothing", "name the contents file that Xcode compiled"))
    case .changedMeanwhile(let path):
      (path, .init("another program changed it, so modelctl left it unchanged", "run the command again"))
    case .noStep(let source, let destination, .sameVersion):
      (
        "\(source), \(destination)",
        .init(
          "Core Data treats them as the same version, so a store needs no migration",
          "name the version of the stores first, then the destination version")
      )
    case .noStep(let source, let destination, .otherBundle):
      (
        "\(source), \(destination)",
        .init("a mapping model needs two versions of one bundle, and these belong to two bundles")
      )
    case .noStep(let source, let destination, .noVersion):
      (
        "\(source), \(destination)",
        .init(
          "a mapping model needs two versions of one bundle",
          "save a model as a version: \(run: "modelctl", "export", "--help")")
      )
    case .noCacheFolder:
      (
        nil,
        .init(
          "there is no cache folder for earlier contents, because neither XDG_CACHE_HOME nor HOME is set",
          "undo the edit with git: \(run: "git", "restore", "--patch")")
      )
    case .nothingToUndo(let path, let isChanged):
      isChanged
        ? (
          path,
          .init(
            "it changed after its last edit, so modelctl undid nothing", "see the changes: \(run: "git", "diff")")
        ) : (path, .init("modelctl has no edit to undo", "see the history: \(run: "git", "log", "-p")"))
    case .currentAlready(let version, let bundle):
      (bundle, .init("\(version) is the current version already"))
    case .released(let version, let bundle, let lock, let isRetired):
      (
        bundle,
        .init(
          """
          \(isRetired ? "version \(version) is retired" : "users have version \(version)"), as \(lock) records, and \
          its stores would no longer open
          """,
          """
          make the next version: \(command: Self.command(["modelctl", "new-version", "--model"], [bundle])); or edit \
          this version anyway: \(option: "--allow-released")
          """)
      )
    case .breaksRule(let path, let rule, let message):
      (path, .init("\(message) [\(rule)]; modelctl wrote nothing"))
    case .severalLosingVersions(let commands):
      (
        "--write-losses",
        .init(
          "the paths to \(commands.count) versions lose data",
          commands.dropFirst().reduce(
            "write the names for one version at a time: \(command: Self.losses(commands.first ?? ""))"
          ) { "\($0); or: \(command: Self.losses($1))" })
      )
    default: (nil, .init(""))
    }
  }

  private static func losses(_ command: String) -> String { "\(command) --write-losses \(LossConsent.usualFile)" }

  private static func command(_ words: [String], _ paths: [String]) -> String {
    (words + paths.map { ShellWord(path: $0).text }).joined(separator: " ")
  }
}

extension CommandError {
  /// Refuses names of entities and properties that no model has, and suggests similar names.
  ///
  /// - Parameter bundle: the path of the bundle with the models; nil if the models are of several bundles.
  static func unknownNames(
    _ names: [String], option: String, among models: [EntityHierarchy], of bundle: String? = nil
  ) -> CommandError {
    let near = names.prefix(3).compactMap { name in
      NearNames.close(to: name, among: models.flatMap { $0.elementNames(like: name) }).first
    }
    return .unknownNames(option: option, names: names, near: near, bundle: bundle)
  }

  /// The refusal of a file or folder that could not be made, with the reason from the system and the advice.
  static func unwritable(_ path: String, _ error: any Error) -> CommandError {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard (try? folder.checkResourceIsReachable()) == true else {
      return .unwritable(
        path: path, reason: "there is no folder “\(folder.relativePath)”", advice: "create the folder first")
    }
    return .unwritable(path: path, reason: CommonWords.cause(of: error), advice: advice(for: error as NSError, folder))
  }

  /// The advice for the cause: space and permissions need different advice.
  private static func advice(for error: NSError, _ folder: URL) -> Advice {
    let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
    let isFull =
      error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileWriteOutOfSpace.rawValue
      || cause.domain == NSPOSIXErrorDomain && [Int(ENOSPC), Int(EDQUOT)].contains(cause.code)
    if isFull { return "free some space or name another file" }
    let isForbidden =
      error.domain == NSCocoaErrorDomain && error.code == CocoaError.fileWriteNoPermission.rawValue
      || cause.domain == NSPOSIXErrorDomain && [Int(EACCES), Int(EPERM)].contains(cause.code)
    return isForbidden
      ? "check the permissions of the folder “\(folder.relativePath)”, or name another file" : "name another file"
  }
}
