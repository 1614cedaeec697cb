import MappingModels
public import ModelDescription
public import ModelFiles
public import PersistentStores

/// The reason why a store cannot have a plan, independent of the content of its rows.
public enum MigrationRefusal: Hashable, Sendable {
  /// Tables of CloudKit mirroring refer to entity numbers that would change.
  case cloudKitTables([String])
  /// CloudKit mirrors the store, and Core Data renames none of its entities and relationships.
  case cloudKitRename(element: String, name: String)
  /// Tables that modelctl does not know may refer to entity numbers that would change.
  case unknownTables([String])
  /// The store's tables differ from those of the model that wrote it.
  case schemaDiffers([LayoutDifference])
  /// Entities that are in no model have numbers that the new entities need.
  case foreignEntityNumbers([String])
  /// A column, table or view that is not part of the model has a name that the new model needs.
  case nameTaken(table: String, column: String?)
  /// Several mapping models with different content migrate from a single version to the same destination.
  case severalMappings([String], from: String, to: String)
  /// A mapping model is for this step and cannot be used.
  case unusableMapping(UnusableMapping)
  /// An entity mapping of a mapping model cannot be planned; the path is that of its file, if it has one.
  case mapping(name: String, MappingRefusal, path: String? = nil)
}

extension MigrationRefusal: AdvisedError {
  /// The file of the mapping model, if the error is about one of its entity mappings.
  public var place: String? { if case .mapping(_, _, let path) = self { path } else { nil } }

  /// The cause as a sentence.
  public var cause: String {
    switch self {
    case .cloudKitTables(let tables):
      "entity numbers would change, and CloudKit mirroring refers to them (\(tables.joined(separator: ", ")))"
    case .cloudKitRename(let element, let name):
      "CloudKit mirrors the store, so Core Data refuses to rename \(element) to \(name) (\(CoreDataError.coreData))"
    case .unknownTables(let tables):
      "entity numbers would change, and other tables may refer to them (\(tables.joined(separator: ", ")))"
    case .schemaDiffers(let deviations):
      """
      the store's tables differ from those of the model that wrote it \
      (\(deviations.prefix(3).map { "\($0)" }.joined(separator: "; ")))
      """
    case .foreignEntityNumbers(let names):
      """
      Z_PRIMARYKEY lists entities that are in no model (\(names.joined(separator: ", "))), and the new entities need \
      their numbers
      """
    case .nameTaken(let table, let column?):
      """
      column \(column) of table \(table) is not part of the model and has the name of a column that the new model needs, \
      so its values would be lost
      """
    case .nameTaken(let table, nil):
      "\(table) is not part of the model and has the name of a table that the new model needs"
    case .severalMappings(let paths, let source, let destination):
      "several mapping models migrate from \(source) to \(destination): \(paths.joined(separator: ", "))"
    case .unusableMapping(let mapping): mapping.locatedWords.cause
    case .mapping(let name, let refusal, _): "entity mapping \(name): \(refusal.cause)"
    }
  }

  /// The remedy, if modelctl knows one.
  public var advice: Advice? {
    switch self {
    case .cloudKitTables:
      """
      let the app migrate this store; or, if the store is never synchronised again, migrate it without regard to \
      CloudKit: \(option: "--allow-cloudkit")
      """
    case .cloudKitRename:
      """
      keep the earlier name; or, if the store is never synchronised again, migrate it without regard to \
      CloudKit: \(option: "--allow-cloudkit")
      """
    case .unknownTables: "allow the change if they do not refer to them: \(option: "--allow-foreign-references")"
    case .schemaDiffers:
      """
      repair the tables, and list the other differences: \(run: "modelctl", "verify", "--repair", onStore: nil); \
      or copy the readable data to a new store: \(run: "modelctl", "rescue", onStore: nil)
      """
    case .foreignEntityNumbers: "list every difference: \(run: "modelctl", "verify", onStore: nil)"
    case .nameTaken(let table, let column?):
      """
      rename it first with ALTER TABLE \(SQLIdentifier(table).quoted) RENAME COLUMN \(SQLIdentifier(column).quoted) \
      TO …, or drop it
      """
    case .nameTaken(_, nil): "rename it first, or drop it"
    case .severalMappings: "choose one of them: \(option: "--mapping", "PATH")"
    case .unusableMapping(let mapping): Self.advice(about: mapping)
    case .mapping(_, let refusal, let path): Self.joined([refusal.advice, path.map(Self.check)])
    }
  }

  private static func check(_ path: String) -> Advice {
    let path = path.hasPrefix("-") ? "./\(path)" : path
    return "check the mapping model: \(run: "modelctl", "mapping", "check", path)"
  }

  private static func advice(about mapping: UnusableMapping) -> Advice? {
    let again = mapping.writtenAgain.map { command -> Advice in
      "create the mapping again, so that the other mapping models stay in use: \(command)"
    }
    let others: Advice = "migrate without mapping models: \(option: "--no-mappings")"
    return joined([again, mapping.locatedWords.advice, others])
  }

  private static func joined(_ advice: [Advice?]) -> Advice? {
    let known = advice.compactMap(\.self)
    guard let first = known.first else { return nil }
    return known.dropFirst().reduce(first) { "\($0); or \($1)" }
  }

  /// The cause with its location, and the remedy.
  package var words: ErrorWords { ErrorWords((place.map { "\($0): " } ?? "") + cause, advice) }
}
