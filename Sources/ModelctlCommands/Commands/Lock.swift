import ArgumentParser
import ModelKit

/// Records versions in lock files.
struct Lock: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Record the versions that users have.",
    usage: "modelctl lock [<bundle or version> ...] [--all] [--draft] [<options>]",
    discussion: """
      EXAMPLES
        modelctl lock                      the current version is released
        modelctl lock --all                so is every version not recorded yet
        modelctl lock --draft              the current version may still change
        modelctl lock Orders@v2
        modelctl lock --draft v4 --allow-data-loss Order.note
        modelctl lock --draft v4 --losses losses.txt

      Writes Name.lock.json beside Name.xcdatamodeld; commit it. modelctl
      check fails when a released version is not what it was.
      """)

  @Argument(
    help: ArgumentHelp("Bundles, folders or versions; every bundle here otherwise.", valueName: "bundle or version"))
  var arguments: [String] = []

  @Flag(name: .long, help: "Record every version that is not recorded yet; those after the current one as drafts.")
  var all = false

  @Flag(name: .long, help: "Record as a draft, which may still change.")
  var draft = false

  @OptionGroup var consent: ConsentOptions

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Write the names of what is lost on the way, for --allow-data-loss @FILE, and record nothing.", valueName: "file")
  )
  var losses: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A released version to record anew although it was edited; stores of it no longer open.", valueName: "version"))
  var relock: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A store that Core Data made: the names of its join tables are recorded. Can be given more than once.",
      valueName: "store"))
  var store: [String] = []

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    if all && !relock.isEmpty { throw ValidationError("--all and --relock exclude each other") }
    if all && !consent.given.isEmpty { throw ValidationError("--all and --allow-data-loss exclude each other") }
    guard losses != nil else { return }
    if all { throw ValidationError("--all and --losses exclude each other") }
    if !store.isEmpty || !consent.given.isEmpty || output.isForPrograms {
      throw ValidationError(
        "--losses writes names and records nothing; leave --store, --allow-data-loss and --format out")
    }
  }

  func run() throws {
    let targets = try targets()
    if let losses { return try writeLosses(of: targets, to: losses) }
    var recordings: [LockRecording] = []
    var records: [(file: String, record: LockRecord)] = []
    var passedOver: [(recording: LockRecording, version: String)] = []
    let names = try consent.names()
    let stores = try store.map { try ReferenceStore(path: $0) }
    var unused = Set(stores.map(\.path))
    let configuration = try ThisProject.configuration()
    let progress = ProgressLine()
    defer { progress.finish() }
    for target in targets {
      var recording = try LockRecording(
        target.bundle, in: ThisProject.search(), adopts: all, configuration: configuration)
      let shown = stores.compactMap { store in recording.version(of: store).map { (store: store, version: $0) } }
      unused.subtract(shown.map(\.store.path))
      var versions = target.versions
      if !all {
        versions += shown.map(\.version).filter { recording.lock.entries[$0] == nil && !versions.contains($0) }
        if versions.isEmpty, stores.isEmpty {
          let current = try recording.currentVersion()
          if draft, targets.count > 1, recording.lock.entries[current]?.state == .released {
            passedOver.append((recording, current))
            continue
          }
          versions = [current]
        }
      }
      var recorded: [LockRecord] = []
      for name in versions {
        let request = LockRecording.Request(
          state: state, allowedLosses: Set(names.map(\.text)), overwrites: target.relocked.contains(name))
        do {
          recorded.append(try recording.record(name, request))
        } catch let error as LockError {
          throw ConsentFileError(error, names) ?? error
        }
      }
      if all {
        let file = recording.lock.path
        recorded += try recording.recordMissing(as: state) { progress.show(recording: $0, of: file, $1, $2) }
      }
      for (store, version) in shown {
        guard let named = try recording.recordJoinNames(of: store, version: version) else { continue }
        if let position = recorded.firstIndex(where: { $0.version == version }) {
          recorded[position].joinNames = named.joinNames
        } else {
          recorded.append(named)
        }
      }
      records += recorded.map { (recording.lock.path, $0) }
      recordings.append(recording)
    }
    for (recording, version) in passedOver {
      guard !records.isEmpty else { break }
      Console.note("\(recording.lock.path): \(version) is released, and stays so")
    }
    if records.isEmpty, var first = passedOver.first {
      // Nothing was left to record, so that the command was a mistake.
      _ = try first.recording.record(first.version, LockRecording.Request(state: .draft))
    }
    if let path = stores.map(\.path).first(where: unused.contains) { throw CommandError.storeOfNoVersion(path: path) }
    for recording in recordings { try recording.checkWritable() }
    for recording in recordings { try recording.write() }
    progress.finish()
    for recording in recordings {
      let released = records.filter { $0.file == recording.lock.path }.map(\.record)
      if let drafts = recording.draftsBehind(released) { Self.note(drafts, in: recording) }
    }
    let report = LockReport(records)
    try output.write(text: report.text, document: report)
  }

  private static func note(_ drafts: DraftsBehind, in recording: LockRecording) {
    let isOne = drafts.names.count == 1
    let paths = drafts.names.compactMap { recording.bundle.version(named: $0)?.path }.map { ShellWord(path: $0).text }
    Console.note(
      "\(recording.lock.path): \(NameList.text(drafts.names)) \(isOne ? "is a draft" : "are drafts") older than "
        + "\(drafts.release); where users have stores of \(isOne ? "it" : "them"): modelctl lock "
        + paths.joined(separator: " "))
  }

  private var state: LockFile.State { draft ? .draft : .released }

  /// The bundles with the versions to record, and those to record anew.
  private func targets() throws -> [LockTarget] {
    var targets = arguments.isEmpty && !relock.isEmpty ? [] : try LockTarget.find(arguments, models)
    for name in relock {
      let (bundle, version) = try LockTarget.version(name, models)
      let position = targets.firstIndex { $0.bundle.path == bundle.path } ?? targets.endIndex
      if position == targets.endIndex { targets.append(LockTarget(bundle: bundle, versions: [])) }
      targets[position].versions.append(version)
      targets[position].relocked.insert(version)
    }
    return targets
  }

  /// Writes what is lost on the way to the one version of all that loses anything.
  private func writeLosses(of targets: [LockTarget], to path: String) throws {
    try ConsentFile.checkWritable(path)
    var losing: [(command: String, version: String, losses: [UnrecordedLoss])] = []
    let configuration = try ThisProject.configuration()
    for target in targets {
      let recording = try LockRecording(target.bundle, in: ThisProject.search(), configuration: configuration)
      for name in target.versions.isEmpty ? [try recording.currentVersion()] : target.versions {
        let losses = try recording.unrecordedLosses(of: name)
        guard !losses.isEmpty else { continue }
        let version = ShellWord(path: target.bundle.version(named: name)?.path ?? name).text
        let options = (draft ? " --draft" : "") + (target.relocked.contains(name) ? " --relock" : "")
        losing.append(("modelctl lock\(options) \(version)", name, losses))
      }
    }
    guard let only = losing.first else {
      return Console.note("nothing is lost that is not recorded as meant, so \(path) is not written")
    }
    guard losing.count == 1 else { throw CommandError.severalLosingVersions(commands: losing.map(\.command)) }
    try ConsentFile.write(
      only.losses.map { ($0.name, $0.sentence) }, to: path, cause: "users on the way to \(only.version)",
      next: "record it with: \(only.command) \(LossConsent.option("@\(path)"))")
  }
}
