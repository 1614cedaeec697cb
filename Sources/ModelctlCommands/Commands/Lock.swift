import ArgumentParser
import ModelKit

/// Records versions in lock files.
struct Lock: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Record which versions are released.",
    usage: "modelctl lock [<bundle or version> ...] [--all] [--draft] [<options>]",
    discussion: """
      EXAMPLES
        modelctl lock                      the current version is released
        modelctl lock --all                every older version not recorded yet
        modelctl lock --all --release      and the current version
        modelctl lock --draft              the current version may still change
        modelctl lock Orders@v2
        modelctl lock --draft v4 --allow-data-loss Order.note
        modelctl lock --draft v4 --write-losses losses.txt
        modelctl lock --mapping Migrations/Orders/v2-v3.xml
        modelctl lock --retire v1..v3 --reason "no supported app writes them"

      Run it after each release of your app. It writes Name.lock.json beside
      Name.xcdatamodeld; commit this file. If you name a bundle or nothing, lock
      records the current version. If you change a released version afterwards,
      modelctl check reports an error. A draft may still change.
      """)

  @Argument(
    help: ArgumentHelp(
      "Bundles, folders or versions (default: all bundles of the project).", valueName: "bundle or version"))
  var arguments: [String] = []

  @OptionGroup var recording: RecordingOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: recording.store) }

  func validate() throws {
    if recording.loss.losses != nil,
      !recording.store.isEmpty || !recording.loss.consent.given.isEmpty || output.isForPrograms
    {
      throw ValidationError(
        "--write-losses writes names and records nothing; remove --store, --allow-data-loss and --format")
    }
  }

  func run() throws {
    let targets = try models.workspace.lockTargets(arguments, relocking: recording.relock)
    Console.warn(ofCurrentVersionsIn: targets.map(\.bundle))
    if let losses = recording.loss.losses {
      return try LossFile(path: losses).write(isDraft: recording.draft) {
        try LosingVersion.found(in: targets, of: .here)
      }
    }
    if let reason = recording.retirement.reason, let retirement = LockFile.Retirement(reason) {
      return try retire(targets, retirement)
    }
    let update = try update(targets, allowing: recording.loss.consent.names())
    try write(update)
    for (file, version, path) in update.unrecorded {
      Console.note(
        "\(file): the current version \(version) is not recorded; after you release it, run: modelctl lock \(ShellWord(path: path).text)"
      )
    }
    for (recording, drafts) in update.draftsBehind { Console.note(LockReport.note(drafts, in: recording)) }
    let report = LockReport(update.records)
    try output.write(text: report.text, document: report)
  }

  private func write(_ update: LockUpdate) throws {
    if recording.dryRun { Console.note("--dry-run: modelctl wrote nothing") } else { try update.write() }
  }

  /// Ends the support of versions.
  private func retire(_ targets: [LockTarget], _ retirement: LockFile.Retirement) throws {
    if let version = targets.flatMap(\.versions).first {
      throw ValidationError("name \(version) with --retire; the other arguments must be bundles")
    }
    let update = try LockUpdate.retiring(recording.retirement.retire, retirement, in: targets, of: .here)
    try write(update)
    for (bundle, records) in update.retired {
      let left = records.compactMap { bundle.version(named: $0.version)?.path }
      guard !left.isEmpty else { continue }
      let words = left.map { ShellWord(path: $0).text }.joined(separator: " ")
      Console.note("you can now delete \(NameList.text(left.map(BundlePath.stem))): git rm -r \(words)")
    }
    let report = LockReport(update.records)
    try output.write(text: report.text, document: report)
  }

  private func update(_ targets: [LockTarget], allowing names: [ConsentName]) throws -> LockUpdate {
    let progress = ProgressLine()
    defer { progress.finish() }
    do {
      let update = try LockUpdate.prepared(targets, recording.request(allowing: names), in: .here) {
        progress.show(recording: $0, of: $1, $2, $3)
      }
      for (file, version) in update.passedOver { Console.note("\(file): \(version) is already recorded as released") }
      return update
    } catch let error as LockError {
      throw ConsentFileError(error, names) ?? error
    }
  }
}

/// The versions to record, with their state and the allowed losses.
struct RecordingOptions: ParsableArguments {
  @Flag(
    name: .long,
    help:
      "Record all versions that are not recorded yet. If the bundle has a lock file, the current version is left out.")
  var all = false

  @Flag(
    name: [.customLong("dry-run"), .customShort("n")], help: "Check everything, print the records, and write nothing.")
  var dryRun = false

  @Flag(name: .long, help: "With --all, record the current version as released too.")
  var release = false

  @Flag(name: .long, help: "Record the version as a draft, which you may still change.")
  var draft = false

  @OptionGroup(title: "Data loss options") var loss: RecordedLossOptions

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Record this released version again after an edit or a retirement. If its hashes changed, its stores no longer open. You can repeat this option.",
      valueName: "version"))
  var relock: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Record the names of join tables in this store, which Core Data made. You can repeat this option.",
      valueName: "store"))
  var store: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Record only this new mapping model between released versions. You can repeat this option.", valueName: "file")
  )
  var mapping: [String] = []

  @OptionGroup(title: "Retirement options") var retirement: RetirementOptions

  func validate() throws {
    if retirement.retire.isEmpty != (retirement.reason == nil) {
      throw ValidationError("--retire and --reason need each other: name the versions, and give the reason")
    }
    if let reason = retirement.reason, LockFile.Retirement(reason) == nil {
      throw ValidationError("--reason must be one line of text")
    }
    let records = all || draft || !relock.isEmpty || !store.isEmpty || !mapping.isEmpty || loss.losses != nil
    if !retirement.retire.isEmpty, records || !loss.consent.given.isEmpty {
      throw ValidationError("--retire records nothing else; remove the other options")
    }
    if release && (!all || draft) {
      throw ValidationError(
        "--release needs --all without --draft; without --all, modelctl records the current version anyway")
    }
    if !mapping.isEmpty, all || draft || loss.losses != nil || !relock.isEmpty || !loss.consent.given.isEmpty {
      throw ValidationError(
        "--mapping records only mapping models; remove --all, --draft, --relock, --write-losses and --allow-data-loss")
    }
    if all && !relock.isEmpty { throw ValidationError("--all and --relock exclude each other") }
    if all && !loss.consent.given.isEmpty { throw ValidationError("--all and --allow-data-loss exclude each other") }
    if all && draft { throw ValidationError("--all and --draft exclude each other; name the versions that are drafts") }
    if all && loss.losses != nil { throw ValidationError("--all and --write-losses exclude each other") }
  }

  /// The versions to record.
  ///
  /// - Parameter names: the allowed losses.
  func request(allowing names: [ConsentName]) throws -> LockUpdate.Request {
    var request = LockUpdate.Request(
      state: draft ? .draft : .released, recordsAll: all, allowedLosses: Set(names.map(\.text)),
      stores: try store.map { try ReferenceStore.read(path: $0) })
    (request.takesCurrent, request.mappings) = (release, mapping)
    return request
  }
}

/// The data losses that you allow on the path to a recorded version.
struct RecordedLossOptions: ParsableArguments {
  @OptionGroup var consent: ConsentOptions

  @Option(
    name: .customLong("write-losses"),
    help: ArgumentHelp(
      "Write the names of the data losses on the path to the version to this file, and record nothing. Pass the file to --allow-data-loss @FILE.",
      valueName: "file")
  )
  var losses: String?
}

/// The versions to retire, and the reason.
struct RetirementOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "End the support for stores of this released version, or of a range such as v1..v29. You may then delete it. You can repeat this option.",
      valueName: "version"))
  var retire: [String] = []

  @Option(name: .long, help: ArgumentHelp("With --retire, give the reason in one line.", valueName: "text"))
  var reason: String?
}
