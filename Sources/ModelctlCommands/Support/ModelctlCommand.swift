import ArgumentParser

/// A command that does something: what they all take.
protocol ModelctlCommand: ParsableCommand {
  /// Whether what it prints is coloured.
  var color: ColorOption { get }
}
