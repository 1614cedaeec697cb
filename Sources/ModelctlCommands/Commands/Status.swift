import ArgumentParser
import ModelKit

/// Tells which version wrote each store.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell which model version wrote a store and what it needs.",
    discussion: """
      EXAMPLES
        modelctl status store.sqlite
        modelctl status *.sqlite --model App/Model.xcdatamodeld --format json

      When no version has the store's hashes, the nearest version is named, with the very edits of it that give
      the store's hashes.
      """)

  @Argument(help: "The stores.")
  var stores: [String]

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let (versions, failures) = KnownVersion.load(from: try models.bundles())
    for failure in failures {
      Console.standardError("warning: \(failure.bundle): version \(failure.version) is left out: \(failure.reason)\n")
    }
    var reports: [StatusReport.Store] = []
    var errors: [any Error] = []
    for path in stores {
      do {
        let reader = try StoreReader(path: path)
        defer { reader.close() }
        reports.append(StatusReport.Store(path: path, try reader.identify(among: versions)))
      } catch {
        errors.append(error)
        Console.standardError("error: \(error)\n")
      }
    }
    let report = StatusReport(reports)
    if !reports.isEmpty { try output.write(text: report.text, document: report) }
    if !errors.isEmpty { throw CommandExit.code(for: errors) }
  }
}
