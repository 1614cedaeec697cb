import Foundation

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
      self.name = name
      self.number = number
      self.superentityNumber = superentityNumber
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
    self.entityNumbers = entityNumbers
    self.tables = tables
    self.indexes = indexes
    self.spatialIndexes = spatialIndexes
    self.triggers = triggers
    self.selfJoins = selfJoins
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

  /// The places in the layout that this belongs to.
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
  public init(name: String, table: String, sql: String) {
    self.name = name
    self.table = table
    self.sql = sql
  }
}
