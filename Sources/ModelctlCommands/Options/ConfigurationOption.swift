import ArgumentParser

/// The configuration that stores are opened with, where their entities alone do not tell.
struct ConfigurationOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The configuration the stores are opened with; found by their entities otherwise.", valueName: "name"))
  var configuration: String?
}
