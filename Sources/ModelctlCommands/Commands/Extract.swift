import ArgumentParser
import ModelKit

/// Copies some objects of a store to a new store.
struct Extract: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Copy some objects and all they need to a new store.",
    usage: "modelctl extract <store> --entity <name> --output <store> [<options>]",
    discussion: """
      EXAMPLES
        modelctl extract store.sqlite --entity Order --where 'number == 7' \\
          --output order7.sqlite
        modelctl extract store.sqlite --entity Customer --depth 2 --output c.sqlite
        modelctl extract store.sqlite --entity Order --depth 0 --output bare.sqlite

      The new store contains the objects that match --where, and the objects within
      --depth relationships of them. It also contains every object that a required
      relationship of these objects needs. modelctl leaves out links to objects
      that are not in the new store, and computes derived attributes again. The
      objects keep their keys, so that you can compare both stores with modelctl
      diff --data. The new store has the same version hashes, a UUID of its own and
      no history. The extension of its name sets its type. modelctl does not change
      the source store.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Option(
    name: .long, help: ArgumentHelp("Copy objects of this entity and its sub-entities.", valueName: "name"))
  var entity: String

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Copy only the objects that match this NSPredicate (default: all objects).", valueName: "predicate"))
  var predicates: [String] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Follow this number of relationships from each object.", valueName: "number"))
  var depth = 1

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write the new store to this path, which must not exist.", valueName: "store"))
  var output: StorePath

  @OptionGroup(title: "Store options") var waiting: WaitingOptions
  @OptionGroup(title: "Store options") var joinNames: JoinNameOptions
  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Store options") var configuration: ConfigurationOption
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    try OnePredicate.check(predicates)
    guard depth >= 0 else { throw ValidationError("--depth must be 0 or more") }
  }

  func run() throws {
    try output.checkNamesFile()
    let interrupt = Interrupt()
    let workspace = try models.workspace(configuration).load()
    let reader = try workspace.reader(
      of: store.text, busyTimeout: waiting.busyTimeout, interruption: { interrupt.isRaised })
    defer { reader.close() }
    let version = try workspace.versionToCopy(by: reader)
    let request = try RecordRequest(entity, where: predicates.first)
    var (creator, suggest) = try joinNames.creator(
      of: version.hierarchy.model, named: version.name, models, from: store.text)
    creator.cachedModel = version.file.cachedContent
    suggest()
    let kind = ConvertedKind(extensionOf: output.text)?.kind
    var extraction = StoreExtraction(request, depth: depth)
    extraction.enforcesUniqueness = kind == nil
    var conversion = StoreConversion(version)
    conversion.interruption = { interrupt.isRaised }
    let (outcome, rounded) = try interrupt.showingTime(of: "\(store.text): extracting") {
      try conversion.make(at: output.text, kind: kind, from: reader, keepsDigits: true) {
        try extraction.run(from: reader, of: version.hierarchy, creator: creator, to: $0)
      }
    }
    let text =
      ExtractionText.text(outcome, of: entity, at: output.text) + LostDigitsText.text(rounded)
      + MissingModelText.text(version.file, in: version.bundle, kind: kind)
    try Console.standardOutput(PrintableText.escaped(text))
    UnprovedKinds(of: [output.text]).show()
  }
}
