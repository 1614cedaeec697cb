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
  }

  func run() throws {
    var recordings: [LockRecording] = []
    var records: [(file: String, record: LockRecord)] = []
    let names = try consent.names()
    let request = LockRecording.Request(
      state: draft ? .draft : .released, allowedLosses: Set(names.map(\.text)))
    let stores = try store.map { try ReferenceStore(path: $0) }
    var unused = Set(stores.map(\.path))
    let configuration = try CheckConfiguration.nearest()
    for target in try targets() {
      var recording = try LockRecording(target.bundle, adopts: all, configuration: configuration)
      let shown = stores.compactMap { store in recording.version(of: store).map { (store: store, version: $0) } }
      unused.subtract(shown.map(\.store.path))
      let anew = target.relocked
      var versions = target.versions + anew
      if all { versions += recording.missingVersions }
      versions += shown.map(\.version).filter { recording.lock.entries[$0] == nil && !versions.contains($0) }
      if versions.isEmpty, stores.isEmpty, !all { versions = [try recording.currentVersion()] }
      for name in versions {
        var request = request
        request.overwrites = anew.contains(name)
        if all, !target.versions.contains(name), recording.isAhead(name) { request.state = .draft }
        do {
          records.append((recording.lock.path, try recording.record(name, request)))
        } catch let error as LockError {
          throw ConsentFileError(error, names) ?? error
        }
      }
      for (store, version) in shown { try recording.recordJoinNames(of: store, version: version) }
      recordings.append(recording)
    }
    if let path = stores.map(\.path).first(where: unused.contains) { throw CommandError.storeOfNoVersion(path: path) }
    for recording in recordings { try recording.checkWritable() }
    for recording in recordings { try recording.write() }
    let report = LockReport(records)
    try output.write(text: report.text, document: report)
  }

  /// The bundles with the versions to record, and those to record anew.
  private func targets() throws -> [(bundle: ModelBundle, versions: [String], relocked: [String])] {
    var targets = arguments.isEmpty && !relock.isEmpty ? [] : try LockTarget.find(arguments, models)
    var relocked: [String: [String]] = [:]
    for name in relock {
      let (bundle, version) = try LockTarget.version(name, models)
      relocked[bundle.path, default: []].append(version)
      if !targets.contains(where: { $0.bundle.path == bundle.path }) {
        targets.append(LockTarget(bundle: bundle, versions: []))
      }
    }
    return targets.map { ($0.bundle, $0.versions, relocked[$0.bundle.path] ?? []) }
  }
}
