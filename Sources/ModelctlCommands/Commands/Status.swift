import ArgumentParser
import ModelKit

/// Tells which version wrote each store.
struct Status: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Tell which version wrote a store, what it needs.",
    usage: "modelctl status <store> ... [--model <path>] [--format <format>]",
    discussion: """
      EXAMPLES
        modelctl status store.sqlite
        modelctl status *.sqlite --model App/Model.xcdatamodeld --format json

      When no version has the store's hashes, the nearest one is named,
      with the very edits of it that give the store's hashes.
      """)

  @Argument(help: ArgumentHelp("The stores.", valueName: "store"))
  var stores: [StorePath]

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    let catalogue = try VersionCatalogue(models, configuration: configuration.configuration)
    for error in catalogue.currentVersionErrors { Console.warn("\(error)") }
    let interrupt = Interrupt()
    let loop = StoreLoop(stores, interrupt: interrupt) { path in
      let reader = try StoreReader(
        path: path, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
      defer { reader.close() }
      let identification = try reader.identify(among: catalogue.versions)
      return StatusReport.Store(
        path: path, identification, otherBundles: catalogue.otherBundles(of: identification),
        namesBundle: models.model != nil)
    }
    let report = StatusReport(loop.entries)
    if !report.stores.isEmpty { try output.write(text: report.text, document: report, coloring: .status) }
    try loop.check()
  }
}
