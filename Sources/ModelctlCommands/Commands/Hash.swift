import ArgumentParser
import ModelKit

/// Prints the version hashes of a model.
struct Hash: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the version hashes of a model, as Apple computes them.",
    discussion: """
      EXAMPLES
        modelctl hash                             the current version of the only bundle here
        modelctl hash v2 --format json
        modelctl hash store.sqlite                the model inside a store
      """)

  @Argument(help: "The model; the current version otherwise.")
  var argument: String?

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let (name, file) = try models.resolve(argument)
    let report: HashReport
    do {
      report = HashReport(model: name, hashes: try VersionHashes(of: file.model))
    } catch {
      throw CommandError.badModel(name: file.location(of: error.element).map { "\($0)" } ?? name, reason: "\(error)")
    }
    try output.write(text: report.text, document: report)
  }
}
