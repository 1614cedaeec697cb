import ArgumentParser
import Foundation
import ModelKit

/// Shows which version wrote each store.
struct Status: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Tell which version wrote a store, what it needs.",
    usage: "modelctl status <store> ... [--model <path>] [--format <format>]",
    discussion: """
      EXAMPLES
        modelctl status store.sqlite
        modelctl status *.sqlite --model App/Model.xcdatamodeld --format json

      When no version has the store's hashes, the nearest one is named,
      with the very edits of it that give the store's hashes. Where a lock
      file has recorded them, that version is named, and, when git has it as
      it was, the command that brings it back. Exits with 1 when a store
      cannot be migrated as it is.
      """)

  @Argument(help: ArgumentHelp("The stores.", valueName: "store"))
  var stores: [StorePath]

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  var reserved: ReservedFiles { ReservedFiles(stores: stores.map(\.text)) }

  func run() throws {
    let workspace = try models.workspace(configuration).load()
    Console.warn(ofCurrentVersionsIn: workspace.bundles)
    let interrupt = Interrupt()
    let loop = StoreLoop.run(stores, interrupt: interrupt) { path in
      let reader = try workspace.reader(
        of: path, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
      defer { reader.close() }
      let identification = try workspace.identify(by: reader)
      let found = identification.version ?? identification.nearest?.version
      let otherBundles = workspace.otherBundles(of: identification)
      return StatusReport.Store(
        path: path, identification, otherBundles: otherBundles,
        options: options((identification.target ?? found)?.bundlePaths ?? [], isAmbiguous: !otherBundles.isEmpty),
        newest: workspace.versions.last { $0.bundle == found?.bundle }?.name,
        sequences: workspace.sequences,
        recorded: identification.version == nil
          ? RecordedRelease.find(try reader.metadata().versionHashes, in: workspace.bundles) : nil,
        missing: workspace.missingConfiguration(of: identification))
    }
    let report = StatusReport(loop.entries)
    if !report.stores.isEmpty { try output.write(text: report.text, document: report, coloring: .status) }
    try loop.check()
    if !report.stores.allSatisfy(\.canBeMigrated) { throw CommandExit.findings }
  }

  /// The options that say which models a store is held against; bundles are named where others were asked for, or fit
  /// as well.
  private func options(_ bundles: [String], isAmbiguous: Bool) -> String {
    let invocation = Invocation.current
    guard isAmbiguous || !models.paths.isEmpty, !bundles.isEmpty,
      bundles.allSatisfy({ FileManager.default.fileExists(atPath: $0) })
    else { return invocation.options(Invocation.models) }
    return bundles.map { " --model \(ShellWord(path: $0).text)" }.joined() + invocation.options(["--configuration"])
  }
}
