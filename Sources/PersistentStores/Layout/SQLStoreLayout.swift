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
