import ArgumentParser
import Foundation
import ModelKit

/// Makes an anonymous copy of a store.
struct Anonymize: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "anonymize",
    abstract: "Copy a store with all personal data replaced.",
    usage: "modelctl anonymize <store> --output <store> [--rules <file>] [--seed <n>]",
    discussion: """
      EXAMPLES
        modelctl anonymize store.sqlite --output anonymous.sqlite
        modelctl anonymize store.sqlite --output a.sqlite --rules rules.txt

      The copy has the same schema, keys, links and orders, so that it migrates
      like the store. modelctl replaces each text with a text of the same length,
      shifts numbers and dates, and replaces bytes and identifiers. It keeps
      Booleans. An SQLite copy contains the model if the store contains it. If not,
      and you give it away, add the bundle. The extension of its name sets the
      store type.

      RULES, one line per attribute; # begins a comment:
        Order.status keep                keep the values
        Order.date shift time            shift by the same amount as every other
                                         attribute in the group "time"
        Customer.note replace nothing    replace each value with the text "nothing"
        Customer.phone null              remove the values
        Customer.name mask               replace the texts, as without a rule
      """)

  @Argument(help: "The store. modelctl does not change it.")
  var store: StorePath

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write the copy to this path, which must not exist.", valueName: "store"))
  var copy: StorePath

  @Option(name: .long, help: ArgumentHelp("Read rules for attributes from this file.", valueName: "file"))
  var rules: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Use this seed, so that you get the same copy again (default: a random seed). Keep the seed secret: it helps to guess texts.",
      valueName: "n"))
  var seed: UInt64?

  @OptionGroup var reading: ReadingOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func run() throws {
    try copy.checkNamesFile()
    let interrupt = Interrupt()
    let (reader, workspace) = try reading.open(store, interrupt)
    defer { reader.close() }
    let version = try workspace.versionToCopy(by: reader)
    var anonymization = Anonymization(
      of: version.hierarchy, rules: try readRules(), seed: seed ?? .random(in: .min ... .max))
    anonymization.cachedModel = version.file.cachedContent
    let kind = ConvertedKind(extensionOf: copy.text)?.kind
    // A store of another type keeps all data in its own file.
    anonymization.needsExternalFiles = kind != nil
    var conversion = StoreConversion(version)
    conversion.interruption = { interrupt.isRaised }
    let (outcome, rounded) = try interrupt.showingTime(of: "\(store.text): anonymizing") {
      try conversion.make(at: copy.text, kind: kind, from: reader, keepsDigits: false) {
        try anonymization.copy(reader, to: $0)
      }
    }
    try Console.words(
      AnonymousCopyText.text(outcome, rounded: rounded, at: copy.text)
        + MissingModelText.text(version.file, in: version.bundle, kind: kind)
    )
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
