import ArgumentParser
import ModelKit

/// The decisions of a user about a migration.
struct MigrationArguments: ParsableArguments {
  @OptionGroup(title: "Migration options") var path: PathOptions
  @OptionGroup(title: "Options for blockers and data loss") var rows: RowDecisions

  func validate() throws {
    if path.inPlace && path.clone { throw ValidationError("--in-place and --copy exclude each other") }
    for text in rows.fill { _ = try Self.assignment(text, option: "--fill", expected: "Entity.attribute=value") }
    _ = try options()
  }

  /// The choices that do not depend on a model, without allowed losses.
  func options(_ policyOptions: PolicyOptions? = nil) throws -> MigrationOptions {
    var policies: [String: MigrationOptions.DuplicatePolicy] = [:]
    for text in rows.dedupe {
      let (entity, name) = try Self.assignment(
        text, option: "--dedupe", expected: "Entity=keep-newest or Entity=keep-oldest")
      guard let policy = MigrationOptions.DuplicatePolicy(rawValue: name) else {
        throw Self.misuse("--dedupe", text, "Entity=keep-newest or Entity=keep-oldest")
      }
      policies[entity] = policy
    }
    return MigrationOptions(
      strategy: path.inPlace ? .inPlace : path.clone ? .clone : nil, duplicatePolicies: policies,
      keepsFirst: Set(rows.keepFirst),
      allowsCloudKit: path.allowsCloudKit, allowsForeignReferences: path.allowsForeignReferences,
      policyReplacements: try policyOptions?.replacements() ?? [:])
  }

  /// One phrase per decision.
  var decisions: [String] {
    var decisions = rows.fill.map { "fill empty values: \($0)" }
    decisions += rows.dedupe.map { "keep one of several equal objects: \($0)" }
    decisions += rows.cast.map { "convert the values of \($0)" }
    decisions += rows.keepFirst.map { "keep the first of several links of \($0)" }
    if path.inPlace { decisions.append("change the store itself") }
    if path.clone { decisions.append("migrate a copy that replaces the store") }
    if path.direct { decisions.append("migrate directly, without the versions in between") }
    if path.allowsCloudKit { decisions.append("migrate even if CloudKit mirrors the store") }
    if path.allowsForeignReferences { decisions.append("migrate even if unknown tables refer to entity numbers") }
    return decisions
  }

  /// Refuses names that no version has, because they can only be typing errors.
  ///
  /// - Parameters:
  ///   - models: the versions on the path, and the model in the store if no bundle has it.
  ///   - bundle: the bundle of the store; nil if it is not known, or if there are several.
  func checkNames(in models: [EntityHierarchy], of bundle: String? = nil) throws {
    let entities = rows.dedupe.compactMap { $0.split(separator: "=").first.map(String.init) }
    for (option, names) in [("--keep-first", rows.keepFirst), ("--dedupe", entities)] {
      let unknown = names.filter { name in !models.contains { $0.hasElement(named: name) } }
      guard unknown.isEmpty else { throw CommandError.unknownNames(unknown, option: option, among: models, of: bundle) }
    }
  }

  /// The given conversions and values, with values of the destination's types.
  func inference(for target: MigrationTarget) throws -> InferenceOptions {
    guard !rows.fill.isEmpty || !rows.cast.isEmpty else { return InferenceOptions() }
    let destination = target.destination.hierarchy
    var fills: [String: AttributeValue] = [:]
    for text in rows.fill {
      let (name, value) = try Self.assignment(text, option: "--fill", expected: "Entity.attribute=value")
      guard let type = Self.type(of: name, in: destination) else {
        guard destination.hasElement(named: name) else { throw Self.unknown([name], "--fill", target) }
        throw CommandError.noAttribute(option: "--fill", text: text, name: name)
      }
      do {
        fills[name] = try AttributeValue.parse(value, as: type)
      } catch {
        throw CommandError.badValue(option: "--fill", text: text, error)
      }
    }
    let options = InferenceOptions(casts: Set(rows.cast), fills: fills)
    let unknown = options.unmatchedNames(in: destination)
    guard unknown.isEmpty else { throw Self.unknown(unknown, "--cast", target) }
    return options
  }

  /// The error for names that the destination version does not have.
  ///
  /// It distinguishes the names of earlier versions from unknown names.
  private static func unknown(_ names: [String], _ option: String, _ target: MigrationTarget) -> CommandError {
    let former = names.filter { name in target.models.contains { $0.hasElement(named: name) } }
    return former.isEmpty
      ? .unknownNames(
        names, option: option, among: target.models + [target.destination.hierarchy], of: target.onlyBundle)
      : .formerNames(option: option, names: former, version: target.destination.name)
  }

  private static func misuse(_ option: String, _ text: String, _ expected: String) -> ValidationError {
    ValidationError("\(option) \(text): expected \(expected)")
  }

  private static func assignment(
    _ text: String, option: String, expected: String
  ) throws -> (name: String, value: String) {
    guard let sign = text.firstIndex(of: "="), sign != text.startIndex else { throw misuse(option, text, expected) }
    return (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  private static func type(of name: String, in model: EntityHierarchy) -> AttributeType? {
    let parts = name.split(separator: ".").map(String.init)
    guard let entity = parts.first, parts.count >= 2 else { return nil }
    let attribute = model.allAttributes(of: entity)[parts[1]]?.property
    return attribute?.leaves.first { $0.path == Array(parts.dropFirst()) }?.attribute.type
  }
}

/// The changes to rows that block a migration.
struct RowDecisions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Fill an attribute that would be empty: Entity.attribute=VALUE. You can repeat this option.",
      valueName: "name=value"))
  var fill: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Keep one of several objects that must be unique: Entity=keep-newest or Entity=keep-oldest. You can repeat this option.",
      valueName: "name=which"))
  var dedupe: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Convert the values of this Entity.attribute, even if Core Data does not. You can repeat this option.",
      valueName: "name"))
  var cast: [String] = []

  @Option(
    name: .customLong("keep-first"), parsing: .singleValue,
    help: ArgumentHelp(
      "Keep only the first link of this Entity.relationship if it becomes to-one. You can repeat this option.",
      valueName: "name"))
  var keepFirst: [String] = []
}

/// The destination version of a migration, and the path to it.
struct PathOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("Migrate to this version (default: the bundle's current version).", valueName: "version"))
  var to: String?

  @Flag(name: .customLong("in-place"), help: "Change the store itself, in one transaction (default: modelctl chooses).")
  var inPlace = false

  @Flag(
    name: .customLong("copy"), help: "Migrate a copy, which then replaces the store (default: modelctl chooses).")
  var clone = false

  @Flag(
    name: .long,
    help: "Migrate directly to the destination version, as Core Data does, and skip the versions in between.")
  var direct = false

  @Flag(
    name: .customLong("allow-cloudkit"),
    help: "Migrate even if CloudKit mirrors the store. The app may not be able to synchronize it any more.")
  var allowsCloudKit = false

  @Flag(
    name: .customLong("allow-foreign-references"),
    help: "Migrate even if tables that modelctl does not know refer to entity numbers.")
  var allowsForeignReferences = false
}
