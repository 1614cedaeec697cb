import ArgumentParser

/// What the models are held against.
struct HistoryOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "What users have: a revision of git, of which the merge base is taken, or a folder.",
      valueName: "revision or folder"))
  var base: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A compiled model (.momd) of the app that users have. Can be given more than once.", valueName: "path"))
  var against: [String] = []
}
