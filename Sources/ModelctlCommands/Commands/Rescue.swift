import ArgumentParser
import Foundation
import ModelKit

/// Copies the readable data of a store that does not open to a new store.
struct Rescue: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "rescue",
    abstract: "Make a new store from a store that does not open.",
    usage: "modelctl rescue <store> [--output <store>] [--version <name>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl rescue store.sqlite
        modelctl rescue store.sqlite --dry-run     print the causes and the result
        modelctl rescue store.sqlite --output new.sqlite --version v3
        modelctl rescue store.sqlite --report rescue.html

      The command prints the reason why the store does not open. It makes a new
      store with every object and value that it can read, even from damaged pages.
      It lists the kept, repaired and lost objects and values of each entity, and
      verifies the new store. It never changes the old store.
      The new store keeps the UUID and the keys. modelctl migrates it to the current
      version, or to --version, if this loses no data. Exits with 1 if something is
      lost, or if the new store has errors or a different version.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp(
      "Write the new store to this path (default: a free name beside the old store).", valueName: "store"))
  var newStore: StorePath?

  @Option(
    name: .customLong("version"),
    help: ArgumentHelp("Give the new store this version (default: the current version).", valueName: "name"))
  var version: String?

  @Flag(
    name: [.customLong("dry-run"), .customShort("n")],
    help: "Print the causes and the result, and delete the new store.")
  var dryRun = false

  @Option(
    name: .customLong("report"),
    help: ArgumentHelp(
      "Write a report to FILE.html or FILE.md: the causes, and the kept, repaired and lost data.", valueName: "file"))
  var page: String?

  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Store options") var joinNames: JoinNameOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: [store.text, newStore?.text].compactMap { $0 }) }

  func validate() throws { try ReportOption.validate(page) }

  func run() throws {
    try output.check()
    try newStore?.checkNamesFile()
    try ReportOption.check(
      page, against: ReservedFiles(stores: reserved.stores, outputs: output.files))
    let interrupt = Interrupt()
    let workspace = try models.workspace(configuration).load()
    var rescue = try workspace.rescue(of: store.text, to: version)
    let names = try joinNames.names(among: workspace.versions)
    rescue.namesOfJoins = { try names.references(for: $0) }
    (rescue.busyTimeout, rescue.isRehearsal) = (waiting.busyTimeout, dryRun)
    let path = newStore?.text ?? freePath
    let outcome = try interrupt.showingTime(of: "\(store.text): rescuing") {
      try rescue.run(to: path) { interrupt.isRaised }
    }
    let report = RescueReport(outcome)
    let written = outcome.path.map { [$0] } ?? []
    try output.write(
      text: report.text, document: report, afterWriting: written, isWritten: !written.isEmpty)
    try ReportOption.write(html: report.html, markdown: report.markdown, to: page)
    if !report.isComplete || report.refusal != nil || !report.verification.isSound { throw CommandExit.findings }
  }

  /// A free path beside the store, such as `shop.rescued.sqlite`.
  private var freePath: String {
    let url = URL(fileURLWithPath: store.text)
    let (stem, kind) = (url.deletingPathExtension().lastPathComponent, url.pathExtension)
    let folder = store.text.dropLast(url.lastPathComponent.count)
    func name(_ number: Int) -> String {
      let end = kind.isEmpty ? "" : ".\(kind)"
      return "\(folder)\(stem).rescued\(number == 1 ? "" : "-\(number)")\(end)"
    }
    let isTaken = { (path: String) in (try? FileManager.default.attributesOfItem(atPath: path)) != nil }
    return name((1..<10_000).first { !isTaken(name($0)) } ?? 10_000)
  }
}
