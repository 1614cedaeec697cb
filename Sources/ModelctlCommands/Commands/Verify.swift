import ArgumentParser
import ModelKit

/// Checks stores against their model.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check whether a store is what its model says: file, schema, rows, links, metadata.",
    discussion: """
      EXAMPLES
        modelctl verify store.sqlite
        modelctl verify *.sqlite --model App/Model.xcdatamodeld --format json

      Exits with 1 when a store has an error; warnings are things that Core Data lives with.
      """)

  @Argument(help: "The stores.")
  var stores: [String]

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let versions = KnownVersion.load(from: try models.bundles()).versions
    var reports: [VerificationReport.Store] = []
    var errors: [any Error] = []
    for path in stores {
      do {
        reports.append(try verify(path, among: versions))
      } catch {
        errors.append(error)
        Console.standardError("error: \(error)\n")
      }
    }
    let report = VerificationReport(reports)
    if !reports.isEmpty { try output.write(text: report.text, document: report) }
    if !errors.isEmpty { throw CommandExit.code(for: errors) }
    if reports.contains(where: { !$0.isSound }) { throw CommandExit.findings }
  }

  private func verify(_ path: String, among versions: [KnownVersion]) throws -> VerificationReport.Store {
    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let identification = try reader.identify(among: versions)
    guard let model = identification.model else { throw CommandError.noModelInStore(path: path) }
    return VerificationReport.Store(
      path: path, modelVersion: identification.version?.name ?? "its cached model",
      problems: try reader.verify(against: EntityHierarchy(model)))
  }
}
