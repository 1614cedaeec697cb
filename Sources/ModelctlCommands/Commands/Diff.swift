import ArgumentParser
import ModelKit

/// Compares two models.
struct Diff: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what changed between two models, and what it does to the hash, to inference and to the rows.",
    discussion: """
      EXAMPLES
        modelctl diff v1 v2
        modelctl diff HEAD~1:App/Model.xcdatamodeld App/Model.xcdatamodeld
        modelctl diff store.sqlite v3 --format json
      """)

  @Argument(help: "The older model.")
  var former: String

  @Argument(help: "The newer model.")
  var latter: String

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 when something changed.")
  var exitCode = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let (formerName, former) = try hierarchy(former)
    let (latterName, latter) = try hierarchy(latter)
    let difference = ModelDifference(from: former, to: latter)
    var failure: InferenceFailure?
    do {
      _ = try MappingModel.inferred(from: former, to: latter)
    } catch {
      failure = error
    }
    let report = DifferenceReport(from: formerName, to: latterName, difference, failure: failure)
    try output.write(text: report.text, document: report)
    if exitCode, !difference.changes.isEmpty { throw CommandExit.findings }
  }

  private func hierarchy(_ argument: String) throws -> (name: String, hierarchy: EntityHierarchy) {
    let (name, file) = try models.resolve(argument)
    do {
      return (name, try EntityHierarchy(file.model))
    } catch {
      throw CommandError.badModel(name: file.location(of: error.element).map { "\($0)" } ?? name, reason: "\(error)")
    }
  }
}
