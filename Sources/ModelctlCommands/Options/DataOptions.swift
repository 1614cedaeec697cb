import ArgumentParser
import ModelKit

/// Whether `diff` compares the objects of two stores, and how.
struct DataOptions: ParsableArguments {
  @Flag(name: .customLong("data"), help: "Compare the objects of two stores of one version, not their models.")
  var isAsked = false

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "With --data: by what an object is known in both: key, unique for the uniqueness constraints, or an attribute such as Customer.email. Can be given more than once. (default: key)",
      valueName: "name"))
  var match: [String] = []

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var configuration: ConfigurationOption

  func validate() throws {
    guard isAsked || match.isEmpty else { throw ValidationError("--match says how objects are compared; add --data") }
  }

  /// Compares the objects of two stores.
  ///
  /// - Throws: as `LoadedWorkspace.dataDifference(from:to:matching:busyTimeout:interruption:)`.
  func report(from source: String, to destination: String, _ models: ModelOptions) throws -> DataDifferenceReport {
    let interrupt = Interrupt()
    return try models.workspace(configuration).load().dataDifference(
      from: source, to: destination, matching: match, busyTimeout: waiting.busyTimeout,
      interruption: { interrupt.isRaised })
  }
}
