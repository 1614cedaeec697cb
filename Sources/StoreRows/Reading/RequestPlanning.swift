import MappingModels
import MigrationSQL
import ModelDescription
import PersistentStores

/// Translates a request to SQL.
struct RequestPlanning {
  /// The alias of the object's row in the statement.
  static let row = "o"
  let request: RecordRequest
  let store: StoreModel
  let filter: KeyFilter?
  let table: SQLTable
  let compiler: ExpressionCompiler

  init(_ request: RecordRequest, _ store: StoreModel, _ filter: KeyFilter?, now: Double) throws(RecordRequestError) {
    (self.request, self.store, self.filter) = (request, store, filter)
    table = try store.existingTable(ofEntity: request.entity)
    compiler = ExpressionCompiler(source: store, entity: request.entity, row: Self.row, now: now, logic: .threeValued)
  }

  private func column(_ name: String) -> SQLStatement { "\(name: Self.row).\(name: name)" }

  // MARK: Properties

  /// The distinct names of the properties to read: the requested properties, or all properties that are stored in the
  /// row.
  func properties() throws(RecordRequestError) -> [String] {
    let (attributes, relationships) = (
      store.hierarchy.allAttributes(of: request.entity), store.hierarchy.allRelationships(of: request.entity)
    )
    let stored =
      attributes.values.filter { !$0.property.isTransient }.map(\.property.name)
      + relationships.values.filter { !$0.property.isTransient && !$0.property.isToMany }.map(\.property.name)
    guard let asked = request.properties else { return stored.sorted() }
    for name in asked where !stored.contains(name) {
      if relationships[name]?.property.isToMany == true { throw .several(name, entity: request.entity) }
      if let attribute = attributes.values.map(\.property).first(where: { Self.holds($0, name) }) {
        throw .element(name, attribute: attribute.name)
      }
      throw .unknownProperty(name, entity: request.entity, near: NearNames.nearest(to: name, among: stored.sorted()))
    }
    for name in asked {
      if let address = store.missing(name, of: request.entity) { throw .notKept(address, named: name) }
    }
    var seen: Set<String> = []
    return asked.filter { seen.insert($0).inserted }
  }

  private static func holds(_ attribute: AttributeDescription, _ name: String) -> Bool {
    attribute.leaves.contains { $0.path.count > 1 && $0.path.joined(separator: ".") == name }
  }

  func columns(
    of properties: [String], selecting selected: inout [SQLStatement]
  ) throws(RecordRequestError) -> [RecordColumn] {
    var columns: [RecordColumn] = []
    for name in properties {
      if let attribute = store.hierarchy.allAttributes(of: request.entity)[name] {
        let column = self.column(of: attribute.property, path: name, of: attribute.entity.name, &selected)
        columns += [column].compactMap { $0 }
      } else if let column = try toOne(name, &selected) {
        columns.append(column)
      }
    }
    return columns
  }

  /// The column of an attribute; nil if the store does not have it, as for a composite attribute without elements.
  private func column(
    of attribute: AttributeDescription, path: String, of entity: String, _ selected: inout [SQLStatement]
  ) -> RecordColumn? {
    if attribute.type == .composite {
      let elements = attribute.elements.compactMap {
        column(of: $0, path: "\(path).\($0.name)", of: entity, &selected)
      }
      return RecordColumn(name: attribute.name, content: .composite(elements), position: elements.first?.position ?? 0)
    }
    let place = store.place(.attribute(PropertyAddress(entity: entity, property: path)))
    var isMarked = attribute.allowsExternalBinaryDataStorage
    if store.keepsExactValues, attribute.type.mayBeKeptApart {
      let column = place.map { self.column($0.column.name) }
      let exact = store.exactValue(of: Self.row, at: path, in: request.entity, near: column)
      selected.append(column.map { "COALESCE(\(exact), \($0))" } ?? exact)
      isMarked = true
    } else if let place {
      selected.append(column(place.column.name))
    } else {
      return nil
    }
    return RecordColumn(
      name: attribute.name, content: .value(attribute.type, isMarked: isMarked), position: Int32(selected.count - 1))
  }

  /// The columns of a to-one relationship: the key and the entity number.
  ///
  /// If there are several entities, the entity number is in a column next to the key or is looked up.
  private func toOne(_ name: String, _ selected: inout [SQLStatement]) throws(RecordRequestError) -> RecordColumn? {
    let address = PropertyAddress(entity: request.entity, property: name)
    guard
      case .toOne(_, let key, let number, _)? = store.layout.storage(ofRelationship: address, in: store.hierarchy),
      let destination = store.hierarchy.allRelationships(of: request.entity)[name]?.property.destinationEntityName
    else { return nil }
    selected.append(column(key))
    let family = store.familyNumbers(of: destination)
    if let number {
      selected.append(column(number))
    } else if family.count == 1 {
      selected.append("\(.number(family[0]))")
    } else {
      guard let target = store.table(ofEntity: destination) else { return nil }
      selected.append("(SELECT d.Z_ENT FROM \(name: target.name) AS d WHERE d.Z_PK = \(column(key)))")
    }
    return RecordColumn(name: name, content: .object(destination: destination), position: Int32(selected.count - 2))
  }

  // MARK: Rows

  /// `FROM` and `WHERE`.
  func tail() throws(RecordRequestError) -> SQLStatement {
    var conditions: [SQLStatement] = []
    if let numbers { conditions.append("\(column("Z_ENT")) IN (\(SQLStatement.list(numbers)))") }
    if let filter { conditions.append(filter.condition(Self.row)) }
    if let predicate = request.predicate {
      conditions.append(
        try request.asking(predicate.shortText, isPredicate: true, in: store.hierarchy) {
          try compiler.condition(predicate)
        })
    }
    let clause: SQLStatement = conditions.isEmpty ? "" : " WHERE \(conditions.joined(" AND "))"
    return "FROM \(name: table.name) AS \(name: Self.row)\(clause)"
  }

  /// The entity numbers of the rows; nil if the table has no other numbers, in which case Core Data does not check
  /// them.
  private var numbers: [Int]? {
    guard case .hierarchy(let root) = table.content, store.familyNumbers(of: root).count > 1 else { return nil }
    guard request.includesSubentities else { return [store.number(of: request.entity)].compactMap { $0 } }
    return request.entity == root ? nil : store.familyNumbers(of: request.entity)
  }

  /// `ORDER BY` with the key last, so that the order is always complete.
  func order() throws(RecordRequestError) -> SQLStatement {
    var terms: [SQLStatement] = []
    for sort in request.sort {
      let value = try request.asking(sort.keyPath, in: store.hierarchy) {
        try compiler.value(ValueExpression(keyPath: sort.keyPath))
      }
      let collation: SQLStatement =
        value.type.isText ? sort.textOrder.collation.map { " COLLATE \(name: $0)" } ?? "" : ""
      terms.append("\(value.sql)\(collation)\(sort.isAscending ? "" : " DESC")")
    }
    return " ORDER BY \((terms + [column("Z_PK")]).joined())"
  }

  /// `LIMIT` and `OFFSET`.
  var window: SQLStatement {
    guard request.limit != nil || request.offset > 0 else { return "" }
    return " LIMIT \(.number(request.limit ?? -1)) OFFSET \(.number(request.offset))"
  }
}
