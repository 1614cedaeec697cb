import Foundation
import ModelDescription

/// The SQL schema of a model's store, as Core Data makes it: a pure value.
public struct SQLStoreLayout: Hashable, Sendable {
  /// A row of `Z_PRIMARYKEY`.
  public struct EntityNumber: Hashable, Sendable {
    /// The entity's name.
    public var name: String
    /// Its number, `Z_ENT`.
    public var number: Int
    /// The number of its parent, 0 for a root.
    public var superentityNumber: Int

    /// Makes an entity number.
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
  /// The join tables with both ends on one entity, and what their names rest on.
  public var selfJoins: [SelfJoin]
  /// What in this layout is a decision rather than a measured rule.
  public var warnings: [LayoutWarning]
  private var index = LayoutIndex()

  /// Makes a layout of these parts.
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

  /// Where its entities, tables and columns are.
  var places: LayoutPlaces { index.places(in: self) }
}

/// Where the entities, tables and columns of a layout are, found out when it is first asked for.
///
/// It follows from the layout, so that all are equal.
final class LayoutIndex: Hashable, @unchecked Sendable {
  private let lock = NSLock()
  private var places: LayoutPlaces?

  static func == (first: LayoutIndex, second: LayoutIndex) -> Bool { true }

  func hash(into hasher: inout Hasher) {}

  func places(in layout: SQLStoreLayout) -> LayoutPlaces {
    lock.withLock {
      if let places { return places }
      let made = LayoutPlaces(layout)
      places = made
      return made
    }
  }
}

/// A trigger that Core Data keeps in a store.
public struct SQLTrigger: Hashable, Sendable {
  /// The trigger's name.
  public var name: String
  /// The table whose changes it follows.
  public var table: String
  /// The complete `CREATE TRIGGER` statement.
  public var sql: String

  /// Makes a trigger.
  public init(name: String, table: String, sql: String) { (self.name, self.table, self.sql) = (name, table, sql) }
}

/// What is looked up in a layout.
struct LayoutPlaces: Sendable {
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

  /// Looks a layout through once.
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

/// A place where a layout rests on a decision of this program because no store of Core Data's shows the rule.
public enum LayoutWarning: Hashable, Sendable {
  /// A many-to-many pair with both ends on one entity where the two known orders disagree about which end names the join
  /// table, and nothing else is known.
  case selfJoinName(SelfJoin)
  /// An attribute whose type has no column.
  case attributeWithoutColumn(PropertyAddress, type: String)
  /// A relationship whose destination the model, or the configuration, does not have; it is not stored.
  case relationshipWithoutDestination(PropertyAddress, destination: String?)
  /// An index on something that is no column, such as an expression; the layout has no such index.
  case untranslatedIndex(entity: String, index: String, element: String)
  /// A partial index whose predicate is beyond simple comparisons; the layout has no such index.
  case untranslatedPredicate(entity: String, index: String, predicate: String)
  /// A derived attribute whose triggers were never seen; the layout has none for it.
  case untranslatedDerivation(PropertyAddress, expression: String)
}

extension LayoutWarning: CustomStringConvertible {
  /// The warning in one sentence.
  public var description: String {
    switch self {
    case .selfJoinName(let join):
      """
      the join table of \(join.pair) is named \(join.table) by a guess; should Core Data name it \(join.otherTable), it \
      would not find it; make sure with a store that Core Data made with this version: --like STORE, or for good \
      with: modelctl lock --store STORE
      """
    case .attributeWithoutColumn(let address, let type): "attribute \(address) of type \(type) is not stored"
    case .relationshipWithoutDestination(let address, let destination):
      "relationship \(address) is not stored, because there is no entity \(destination ?? "at its other end")"
    case .untranslatedIndex(let entity, let index, let element):
      "index \(index) of \(entity) is left out, because \(element) is not a column"
    case .untranslatedPredicate(let entity, let index, let predicate):
      "index \(index) of \(entity) is left out, because its predicate “\(predicate)” has no known translation"
    case .untranslatedDerivation(let address, let expression):
      "no trigger keeps \(address) up to date, because “\(expression)” has no known translation"
    }
  }
}
