import ArgumentParser
import Foundation
import ModelKit

/// Shows the version that wrote each store.
struct Status: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show a store's version, and any migration it needs.",
    usage: "modelctl status <store, folder or log> ... [--model <path>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl status store.sqlite
        modelctl status *.sqlite --model App/Model.xcdatamodeld --format json
        modelctl status console.txt     the text of a failed opening
        pbpaste | modelctl status -

      If no version has the hashes of the store, modelctl names the nearest version
      and the edits that give these hashes. If a lock file has recorded the hashes,
      it names the recorded version, and the command that restores it from git. For
      a retired version, it shows the date and the reason, and the last build that
      migrates the store.
      If you have no store, give the text that Core Data printed when it could not
      open one. modelctl finds the version from the hashes in it, complete or cut
      off, or from their digest.
      modelctl plans the migration, but does not read the rows, so that migrate may
      still find blockers. Exits with 1 if modelctl cannot migrate a store as it is,
      or if the store fits no bundle.
      """)

  @Argument(
    help: ArgumentHelp(
      "Stores, folders that contain stores, or texts of failed openings. Give - to read such a text from standard input.",
      valueName: "store"))
  var stores: [StorePath]

  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: stores.map(\.text)) }

  func run() throws {
    let workspace = try models.workspace(configuration).load()
    Console.warn(ofCurrentVersionsIn: workspace.bundles)
    let interrupt = Interrupt()
    lazy var anyConfiguration = Result { try models.workspace.load() }
    let texts = stores.filter { $0.text == Self.input || LoggedText.isOne($0.text) }
    let files = stores.filter { store in !texts.contains { $0.text == store.text } }
    let logs = StoreLoop.run(texts, interrupt: interrupt) { path in
      let identification = try LoggedText.identify(path, in: workspace)
      return entry(path, identification, of: "STORE", in: workspace, recorded: nil)
    }
    let loop = try StoreLoop.run(storesIn: files, interrupt: interrupt) { path in
      let reader: StoreReader
      do {
        reader = try workspace.reader(
          of: path, busyTimeout: waiting.busyTimeout, readsObjects: false, interruption: { interrupt.isRaised })
      } catch StoreError.notSQLite(path, .text) where files.contains(where: { $0.text == path }) {
        throw LoggedHashesError.none(path: path)
      }
      defer { reader.close() }
      var identification = try workspace.identify(by: reader)
      var otherwise: String?
      if let name = configuration.configuration, identification.version == nil {
        let whole = try anyConfiguration.get().identify(by: reader)
        if whole.version != nil { (identification, otherwise) = (whole, name) }
      }
      let outlook: Result<MigrationPath?, any Error>? =
        identification.state == .needsMigration && otherwise == nil
        ? Result { try self.outlook(of: path, by: reader, identification, in: workspace) } : nil
      return entry(
        path, identification, in: workspace,
        recorded: identification.version == nil
          ? RecordedRelease.find(try reader.metadata().versionHashes, in: workspace.bundles) : nil,
        support: try identification.model.flatMap { try reader.missingSupportFolder(of: $0) }, outlook: outlook,
        otherwise: otherwise, identifiers: try reader.metadata().identifiers, isMirrored: try reader.isMirrored())
    }
    let report = StatusReport(loop.entries + logs.entries)
    if !report.stores.isEmpty { try output.write(text: report.text, document: report, coloring: .status) }
    try loop.check()
    try logs.check()
    if !report.stores.allSatisfy(\.canBeMigrated) { throw CommandExit.findings }
  }

  /// The path that means standard input.
  private static let input = "-"

  private func entry(
    _ path: String, _ identification: StoreIdentification, of store: String? = nil, in workspace: LoadedWorkspace,
    recorded: RecordedRelease?, support: MissingSupportFolder? = nil,
    outlook: Result<MigrationPath?, any Error>? = nil, otherwise: String? = nil, identifiers: [String]? = nil,
    isMirrored: Bool = false
  ) -> StatusReport.Store {
    let found = identification.version ?? identification.nearest?.version
    let otherBundles = workspace.otherBundles(of: identification)
    return StatusReport.Store(
      path: path, identification, of: store, otherBundles: otherBundles,
      options: options(
        withConfiguration: otherwise == nil, (identification.target ?? found)?.bundlePaths ?? [],
        isAmbiguous: !otherBundles.isEmpty),
      identifiers: identifiers,
      newest: workspace.versions.last { $0.bundle == found?.bundle }?.name,
      retirement: identification.version.flatMap { version in
        let bundle = workspace.bundles.first { $0.path == version.bundle }
        return bundle.flatMap { RecordedRelease.retirement(of: version.name, in: $0) }
      }, sequences: workspace.sequences, recorded: recorded,
      missing: otherwise == nil ? workspace.missingConfiguration(of: identification) : nil, support: support,
      outlook: outlook, otherConfiguration: otherwise, isMirrored: isMirrored)
  }

  /// The path of `migrate`, planned without reading rows.
  private func outlook(
    of store: String, by reader: StoreReader, _ identification: StoreIdentification, in workspace: LoadedWorkspace
  ) throws -> MigrationPath? {
    let target = try workspace.target(of: store, by: identification)
    return try StoreMigrator(try workspace.migration(of: store, to: target)).outlook(reader)
  }

  /// The options that choose the models for a store.
  ///
  /// It names bundles if the user named other bundles, or if several bundles fit.
  private func options(withConfiguration: Bool, _ bundles: [String], isAmbiguous: Bool) -> String {
    let configuration = withConfiguration ? GivenOptions.current.configuration : ""
    guard isAmbiguous || !models.paths.isEmpty, !bundles.isEmpty,
      bundles.allSatisfy({ FileManager.default.fileExists(atPath: $0) })
    else { return GivenOptions.current.model + configuration }
    return bundles.map { " --model \(ShellWord(path: $0).text)" }.joined() + configuration
  }
}

/// The text of a Core Data error for a store that did not open, from a file or from standard input.
private enum LoggedText {
  /// True for a text file with version hashes, which is not a store.
  static func isOne(_ path: String) -> Bool {
    guard
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
      attributes[.type] as? FileAttributeType == .typeRegular, StoreKinds.kind(ofFile: path) == nil,
      let text = try? read(path)
    else { return false }
    return !text.hasPrefix("SQLite format 3") && LoggedHashes(in: text) != nil
  }

  /// Identifies the version with the hashes in a text.
  ///
  /// - Throws: `LoggedHashesError`, and an error of Foundation if the text cannot be read.
  static func identify(_ path: String, in workspace: LoadedWorkspace) throws -> StoreIdentification {
    guard let log = LoggedHashes(in: try read(path)) else { throw LoggedHashesError.none(path: path) }
    guard let hashes = log.hashes(among: workspace.versions) else { throw LoggedHashesError.unknownDigest(path: path) }
    let metadata = StoreMetadata(uuid: "", versionHashes: hashes, identifiers: [])
    return StoreIdentification(
      of: metadata, cachedModel: .absent, among: workspace.versions, mergesBundles: workspace.mergesBundles)
  }

  private static func read(_ path: String) throws -> String {
    let handle =
      path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { if path != "-" { try? handle.close() } }
    var data = Data()
    while data.count < LoggedHashes.limit, let part = try handle.read(upToCount: LoggedHashes.limit - data.count),
      !part.isEmpty
    {
      data += part
    }
    return String(decoding: data, as: UTF8.self)
  }
}
