import ArgumentParser
import ModelKit

/// The options of the current command, which modelctl repeats in the commands that it suggests.
struct GivenOptions: Sendable {
  @TaskLocal static var current = GivenOptions()

  /// The paths of `--model`.
  private(set) var models: [String] = []
  /// The names of `--allow-data-loss`.
  private(set) var consent: [String] = []
  /// The store of a command with a single one.
  private(set) var store: String?
  /// True if `--mapping` or `--no-mappings` chose the mapping models.
  private(set) var choosesMappings = false

  private var modelWords: [String] = []
  private var configurationWords: [String] = []
  private var migrationWords: [String] = []
  private var consentWords: [String] = []

  /// No options.
  init() {}

  /// Reads the options of a parsed command, with the options of its option groups.
  init(of command: any ParsableCommand) { collect(from: command) }

  /// `--model` with its values, each with a space in front.
  var model: String { Self.text(modelWords) }
  /// `--configuration` with its value.
  var configuration: String { Self.text(configurationWords) }
  /// The options that choose the model of a store.
  var modelChoice: String { model + configuration }
  /// The options that decide how a store is migrated, without the allowed losses.
  var migration: String { modelChoice + Self.text(migrationWords) }
  /// The options that allow losses.
  var dataLoss: String { Self.text(consentWords) }

  private mutating func collect(from options: some Any) {
    for child in Mirror(reflecting: options).children {
      if child.label == "_store", let argument = child.value as? Argument<StorePath> {
        store = argument.wrappedValue.text
      }
      guard let group = child.value as? any OptionGroupValue else { continue }
      let options = group.options
      switch options {
      case let options as ModelOptions:
        models = options.paths
        modelWords = Self.words("--model", models)
      case let options as ConfigurationOption:
        configurationWords = Self.words("--configuration", options.configuration.map { [$0] } ?? [])
      case let options as PathOptions:
        migrationWords += Self.words("--to", options.to.map { [$0] } ?? [])
        let flags = [
          ("--in-place", options.inPlace), ("--copy", options.clone), ("--direct", options.direct),
          ("--allow-cloudkit", options.allowsCloudKit),
          ("--allow-foreign-references", options.allowsForeignReferences),
        ]
        migrationWords += flags.filter(\.1).map(\.0)
      case let options as RowDecisions:
        let given = [
          ("--fill", options.fill), ("--dedupe", options.dedupe), ("--cast", options.cast),
          ("--keep-first", options.keepFirst),
        ]
        for (name, values) in given { migrationWords += Self.words(name, values) }
      case let options as MappingOptions:
        choosesMappings = options.noMappings || !options.mapping.isEmpty
        migrationWords += Self.words("--mapping", options.mapping) + (options.noMappings ? ["--no-mappings"] : [])
      case let options as PolicyOptions: migrationWords += Self.words("--policy", options.policy)
      case let options as ConsentOptions:
        consent = options.given
        consentWords = Self.words("--allow-data-loss", consent)
      default: collect(from: options)
      }
    }
  }

  private static func words(_ option: String, _ values: [String]) -> [String] {
    values.flatMap { [option, ShellWord($0).text] }
  }

  private static func text(_ words: [String]) -> String { words.map { " \($0)" }.joined() }
}

/// An option group of any type.
private protocol OptionGroupValue {
  var options: Any { get }
}

extension OptionGroup: OptionGroupValue {
  fileprivate var options: Any { wrappedValue }
}
