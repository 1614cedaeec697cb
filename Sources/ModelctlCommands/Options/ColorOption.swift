import ArgumentParser

/// Whether what a terminal shows is coloured.
struct ColorOption: ParsableArguments {
  /// When there are colours.
  enum Choice: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// On a terminal that has colours, unless the environment asks for none.
    case auto
    case always
    case never

    /// The choice in force.
    @TaskLocal static var current = Choice.auto
  }

  @Option(name: .customLong("color"), help: ArgumentHelp("Colours of text on a terminal.", valueName: "when"))
  var choice = Choice.auto
}
