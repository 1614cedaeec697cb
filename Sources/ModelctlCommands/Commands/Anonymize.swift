import ArgumentParser
import Foundation
import ModelKit

/// Makes an anonymous copy of a store.
struct Anonymize: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Make a copy of a store that holds nothing of what people wrote.",
    usage: "modelctl anonymize <store> --output <store> [--rules <file>] [--seed <n>]",
    discussion: """
      EXAMPLES
        modelctl anonymize store.sqlite --output anonymous.sqlite
        modelctl anonymize store.sqlite --output a.sqlite --rules rules.txt

      Texts become others of the same length, numbers and dates are moved,
      bytes and identifiers are replaced; keys, links, orders, Booleans and
      the schema stay, so that the copy migrates as the store does. It keeps
      no cached model: give the model with it. Its kind is that of its
      extension.

      RULES, a line an attribute, # begins a comment:
        Order.status keep                its values stay
        Order.date shift time            moved as all of the group time are
        Customer.note replace nothing    all become this
        Customer.phone null              none is left
        Customer.name mask               as without a rule
      """)

  @Argument(help: "The store, which is only read.")
  var store: StorePath

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("The copy to make; nothing may be there.", valueName: "store"))
  var copy: StorePath

  @Option(name: .long, help: ArgumentHelp("What is to become of which attributes.", valueName: "file"))
  var rules: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("The same seed gives the same copy; another one each time otherwise.", valueName: "n"))
  var seed: UInt64?

  @OptionGroup var reading: ReadingOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    try copy.checkNamesFile()
    let interrupt = Interrupt()
    let (reader, workspace) = try reading.open(store, interrupt)
    defer { reader.close() }
    let version = try workspace.versionToCopy(by: reader)
    var anonymization = Anonymization(
      of: version.hierarchy, rules: try readRules(), seed: seed ?? .random(in: .min ... .max))
    let kind = ConvertedKind(extensionOf: copy.text)?.kind
    // A store of another kind has the data in itself.
    anonymization.needsExternalFiles = kind != nil
    var conversion = StoreConversion(version)
    conversion.interruption = { interrupt.isRaised }
    let (outcome, rounded) = try conversion.make(
      at: copy.text, kind: kind, from: reader, keepsDigits: false
    ) { try anonymization.copy(reader, to: $0) }
    try Console.words(AnonymousCopyText.text(outcome, rounded: rounded, at: copy.text))
    UnprovedKinds(of: [copy.text]).show()
  }

  private func readRules() throws -> AnonymizationRules {
    guard let rules else { return AnonymizationRules() }
    guard let text = try? String(contentsOf: URL(fileURLWithPath: rules), encoding: .utf8) else {
      throw CommandError.unreadableRules(path: rules)
    }
    return try AnonymizationRules(reading: text, path: rules)
  }
}
