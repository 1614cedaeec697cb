import ArgumentParser
import ModelKit

/// Makes a small store of a part of another.
struct Extract: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "extract",
    abstract: "Make a small store of some objects and what they need.",
    usage: "modelctl extract <store> --entity <name> --output <store> [<options>]",
    discussion: """
      EXAMPLES
        modelctl extract store.sqlite --entity Order --where 'number == 7' \\
          --output order7.sqlite
        modelctl extract store.sqlite --entity Customer --depth 2 --output c.sqlite
        modelctl extract store.sqlite --entity Order --depth 0 --output bare.sqlite

      The new store has the objects that the predicate holds of, those within
      --depth relationships of them, and what all of these must have: the
      objects of mandatory relationships, and what those must have. To-many
      relationships have the objects that are in the new store; derived
      attributes are worked out anew. Objects keep their keys, so that
      diff --data compares both stores. It is a new store: with a UUID of its
      own, the same version hashes, no history, and the kind that its extension
      names. The old one is only read.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Option(
    name: .long, help: ArgumentHelp("The entity; objects of the entities below it count too.", valueName: "name"))
  var entity: String

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("What must hold of an object; all objects otherwise.", valueName: "predicate"))
  var predicates: [String] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("How many relationships are followed.", valueName: "number"))
  var depth = 1

  @Option(name: .long, help: ArgumentHelp("The store to make; nothing may be there.", valueName: "store"))
  var output: StorePath

  @OptionGroup var waiting: WaitingOptions
  @OptionGroup var joinNames: JoinNameOptions
  @OptionGroup var models: ModelOptions
  @OptionGroup var configuration: ConfigurationOption
  @OptionGroup var color: ColorOption

  func validate() throws {
    try OnePredicate.check(predicates)
    guard depth >= 0 else { throw ValidationError("--depth takes 0 or more") }
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
    let (creator, suggest) = try joinNames.creator(
      of: version.hierarchy.model, named: version.name, models, from: store.text)
    suggest()
    let kind = ConvertedKind(extensionOf: output.text)?.kind
    var extraction = StoreExtraction(request, depth: depth)
    extraction.enforcesUniqueness = kind == nil
    var conversion = StoreConversion(version)
    conversion.interruption = { interrupt.isRaised }
    let (outcome, rounded) = try conversion.make(
      at: output.text, kind: kind, from: reader, keepsDigits: true
    ) { try extraction.run(from: reader, of: version.hierarchy, creator: creator, to: $0) }
    let text = ExtractionText.text(outcome, of: entity, at: output.text) + LostDigitsText.text(rounded)
    try Console.standardOutput(PrintableText.escaped(text))
    UnprovedKinds(of: [output.text]).show()
  }
}
