import MappingModels
import PersistentStores

/// An entity mapping that makes rows, with the tables it reads and writes.
struct MappedEntity {
  /// How a source row's key leads to the key of the row that is made of it.
  enum Association: Hashable {
    /// Every row keeps its key.
    case kept
    /// A temporary table holds the keys of each pair.
    case table(String)
  }

  /// Its place among the mappings, which run in this order.
  let position: Int
  let mapping: CustomEntityMapping
  let source: String
  let destination: String
  /// The source table under the name it has while the plan runs.
  let sourceTable: SQLTable
  let sourceNumber: Int
  let destinationTable: SQLTable
  let destinationNumber: Int
  /// True when rows keep their key, as far as they are made at all.
  let keepsKeys: Bool
  let association: Association
  /// Its policy, whose stand-in or functions its expressions may use.
  let policy: ExpressionPolicy?
  /// True when a policy in code makes and links the objects.
  let isCoded: Bool
}

extension MappedEntity {
  /// Selects the pairs of keys as `src` and `dst`, to stand in a `FROM` clause.
  var pairs: SQLStatement {
    switch association {
    case .kept:
      """
      (SELECT \(name: "Z_PK") AS src, \(name: "Z_PK") AS dst FROM \(name: sourceTable.name) \
      WHERE \(name: "Z_ENT") = \(.number(sourceNumber)))
      """
    case .table(let table): "\(name: "temp").\(name: table)"
    }
  }

  /// The key of the row made of a source row, NULL when there is none or the row is of another entity.
  func key(ofRow key: SQLStatement) -> SQLStatement {
    switch association {
    case .kept:
      """
      (SELECT target.\(name: "Z_PK") FROM \(name: sourceTable.name) AS target \
      WHERE target.\(name: "Z_PK") = \(key) AND target.\(name: "Z_ENT") = \(.number(sourceNumber)))
      """
    case .table(let table):
      "(SELECT pair.dst FROM \(name: "temp").\(name: table) AS pair WHERE pair.src = \(key))"
    }
  }

  /// The temporary table that holds the key each object is to have, nil where rows keep theirs whatever happens.
  ///
  /// Which objects a policy makes is its own affair; the keys of the first of each source object are set aside.
  var keysTable: String? {
    guard case .table(let table) = association else { return nil }
    if isCoded { return keepsKeys ? nil : TemporaryName.keys(position) }
    return table
  }

  /// The temporary table of the objects that a policy has linked as the expressions say.
  var defaultsTable: String { TemporaryName.defaults(position) }

  /// SQL in place of the policy's work on attributes, by attribute.
  var standInAttributes: [String: String] { policy?.standIn?.attributes ?? [:] }

  /// The paths whose values its attributes get, and those that its policy's SQL reads.
  var carriedPaths: CarriedPaths {
    var paths = CarriedPaths()
    for attribute in mapping.attributeMappings where standInAttributes[attribute.name] == nil {
      switch attribute.value {
      case .unset: continue
      case .expression(let expression): paths.add(expression)
      case .sql(let text): paths.add(sql: text)
      }
    }
    for sql in standInAttributes.values { paths.add(sql: sql) }
    for sql in (policy?.standIn?.functions ?? [:]).values { paths.add(sql: sql) }
    return paths
  }

  /// The first function of the policy, by name, that an expression calls and that has neither code nor SQL.
  func missingFunction(in expression: ValueExpression) -> MappingFault? {
    guard !isCoded, let policy else { return nil }
    let missing = expression.policySelectors.filter { policy.standIn?.functions[$0] == nil }
    return missing.min().map { .missingFunction($0, className: policy.className) }
  }

  /// What the mapping does, for the causes of steps.
  var cause: String { "\(mapping.name): \(source) becomes \(destination)" }
}
