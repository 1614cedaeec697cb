import Foundation
import ModelDescription

/// The SQL schema that Core Data creates for a model's store.
public struct SQLStoreLayout: Hashable, Sendable {
  /// A row of `Z_PRIMARYKEY`.
  public struct EntityNumber: Hashable, Sendable {
    /// The entity's name.
    public var name: String
    /// Its number, `Z_ENT`.
    public var number: Int
    /// The number of its parent, 0 for a root.
    public var superentityNumber: Int

    /// Creates an entity number.
    public init(name: String, number: Int, superentityNumber: Int) {
      (self.name, self.number, self.superentityNumber) = (name, number, superentityNumber)
    }
  }

  /// Every entity with its number, in the order of the numbers.
  public var entityNumbers: [EntityNumber] { didSet { index = LayoutIndex() } }
  /// The entity and join tables in the order of creation.
  public var tables: [SQLTable] { didSet { index = LayoutIndex() } }
  /// The indexes in the order of creation.
  public var indexes: [SQLIndex]
  /// The R-tree tables of spatial indexes.
  public var spatialIndexes: [SQLSpatialIndex]
  /// The triggers of derived attributes and spatial indexes.
  public var triggers: [SQLTrigger]
  /// The join tables with both ends on a single entity, with the evidence for their names.
  public var selfJoins: [SelfJoin]
  /// True if Core Data may name a join table in a different way.
  package var hasGuessedNames: Bool { selfJoins.contains { $0.evidence == .guess } }
  /// The parts of this layout that modelctl had to decide without a measured rule.
  public var warnings: [LayoutWarning]
  private var index = LayoutIndex()

  /// Creates a layout of these parts.
  public init(
    entityNumbers: [EntityNumber],
    tables: [SQLTable],
    indexes: [SQLIndex] = [],
    spatialIndexes: [SQLSpatialIndex] = [],
    triggers: [SQLTrigger] = [],
    selfJoins: [SelfJoin] = [],
    warnings: [LayoutWarning] = []
  ) {
    (self.entityNumbers, self.tables, self.indexes) = (entityNumbers, tables, indexes)
    (self.spatialIndexes, self.triggers, self.selfJoins) = (spatialIndexes, triggers, selfJoins)
    self.warnings = warnings
  }

  /// The positions of its entities, tables and columns.
  var positions: LayoutPositions { index.positions(in: self) }
}

/// The positions of the entities, tables and columns of a layout, computed at first use.
///
/// All instances are equal, because the positions follow from the layout.
final class LayoutIndex: Hashable, @unchecked Sendable {
  private let lock = NSLock()
  private var positions: LayoutPositions?

  static func == (first: LayoutIndex, second: LayoutIndex) -> Bool { true }

  func hash(into hasher: inout Hasher) {}

  func positions(in layout: SQLStoreLayout) -> LayoutPositions {
    lock.withLock {
      if let positions { return positions }
      let computed = LayoutPositions(layout)
      positions = computed
      return computed
    }
  }
}

/// A trigger that Core Data creates in a store.
public struct SQLTrigger: Hashable, Sendable {
  /// The trigger's name.
  public var name: String
  /// The table whose changes run it.
  public var table: String
  /// The complete `CREATE TRIGGER` statement.
  public var sql: String

  /// Creates a trigger.
  public init(name: String, table: String, sql: String) { (self.name, self.table, self.sql) = (name, table, sql) }
}

/// The lookup tables of a layout.
struct LayoutPositions: Sendable {
  private(set) var numbers: [String: Int] = [:]
  private(set) var names: [Int: String] = [:]
  private(set) var superentities: [String: String] = [:]
  private(set) var children: [String: [String]] = [:]
  /// The positions of tables by their names.
  private(set) var tables: [String: Int] = [:]
  /// The positions of the tables of root entities.
  private(set) var roots: [String: Int] = [:]
  /// The positions of join tables by the relationships that name them.
  private(set) var joins: [PropertyAddress: Int] = [:]
  private(set) var columns: [SQLColumn.Role: SQLColumn] = [:]

  init(_ layout: SQLStoreLayout) {
    for entity in layout.entityNumbers {
      if numbers[entity.name] == nil { numbers[entity.name] = entity.number }
      if names[entity.number] == nil { names[entity.number] = entity.name }
    }
    for entity in layout.entityNumbers where entity.superentityNumber != 0 {
      guard let parent = names[entity.superentityNumber], superentities[entity.name] == nil else { continue }
      superentities[entity.name] = parent
      children[parent, default: []].append(entity.name)
    }
    for (position, table) in layout.tables.enumerated() {
      if tables[table.name] == nil { tables[table.name] = position }
      switch table.content {
      case .hierarchy(let root): if roots[root] == nil { roots[root] = position }
      case .join(let naming): if joins[naming] == nil { joins[naming] = position }
      }
      for column in table.columns {
        switch column.role {
        case .primaryKey, .entityNumber, .optimisticLock: continue
        default: if columns[column.role] == nil { columns[column.role] = column }
        }
      }
    }
  }
}

/// A part of a layout that modelctl had to decide because no store of Core Data shows the rule.
public enum LayoutWarning: Hashable, Sendable {
  /// A many-to-many pair with both ends on one entity, if the two known orders disagree about the end that names the join
  /// table.
  case selfJoinName(SelfJoin)
  /// An attribute whose type lacks a column.
  case attributeWithoutColumn(PropertyAddress, type: String)
  /// A relationship whose destination is not in the model or the configuration; it is not stored.
  case relationshipWithoutDestination(PropertyAddress, destination: String?)
  /// An index on an element that is not a column, such as an expression; the layout does not have the index.
  case untranslatedIndex(entity: String, index: String, element: String)
  /// A partial index whose predicate is not a simple comparison; the layout does not have the index.
  case untranslatedPredicate(entity: String, index: String, predicate: String)
  /// A derived attribute whose triggers are unknown; the layout has no trigger for it.
  case untranslatedDerivation(PropertyAddress, expression: String)
}

extension LayoutWarning: CustomStringConvertible {
  /// The warning without commands and options.
  public var description: String { words.advice.map { "\(words.cause); \($0.words)" } ?? words.cause }

  /// The warning with commands and options.
  package var sentence: String { words.sentence }

  private var words: ErrorWords {
    switch self {
    case .selfJoinName(let join):
      ErrorWords(
        """
        the name of the join table of \(join.pair) is a guess: \(join.table). If Core Data expects \
        \(join.otherTable) instead, your app cannot read this relationship
        """,
        """
        give a store that your app wrote with this version: \(option: "--join-names-from", "STORE"); \
        or record the name once: \(run: "modelctl", "lock", "--store", "STORE")
        """)
    case .attributeWithoutColumn(let address, let type):
      ErrorWords("attribute \(address) of type \(type) is not stored")
    case .relationshipWithoutDestination(let address, let destination):
      ErrorWords(
        "relationship \(address) is not stored, because "
          + (destination.map { "there is no entity \($0)" } ?? "it has no destination"))
    case .untranslatedIndex(let entity, let index, let element):
      ErrorWords("index \(index) of \(entity) is not created, because \(element) is not a column")
    case .untranslatedPredicate(let entity, let index, let predicate):
      ErrorWords(
        "index \(index) of \(entity) is not created, because its predicate “\(predicate)” has no known translation")
    case .untranslatedDerivation(let address, let expression):
      ErrorWords("no trigger keeps \(address) up to date, because “\(expression)” has no known translation")
    }
  }
}
