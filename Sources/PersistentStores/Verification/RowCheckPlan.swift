import ModelDescription

/// Lists the checks of all rows of a store, from the model and the store's layout.
struct RowCheckPlan {
  let hierarchy: EntityHierarchy
  let layout: SQLStoreLayout
  private let attributes: [String: [String: AttributeDescription]]
  private let relationships: [String: [String: RelationshipDescription]]

  /// Prepares a plan.
  ///
  /// - Parameter layout: the layout of the model with the store's own names and numbers.
  private init(hierarchy: EntityHierarchy, layout: SQLStoreLayout) {
    (self.hierarchy, self.layout) = (hierarchy, layout)
    var attributes: [String: [String: AttributeDescription]] = [:]
    var relationships: [String: [String: RelationshipDescription]] = [:]
    for entity in hierarchy.model.entities {
      attributes[entity.name] = hierarchy.allAttributes(of: entity.name).mapValues(\.property)
      relationships[entity.name] = hierarchy.allRelationships(of: entity.name).mapValues(\.property)
    }
    (self.attributes, self.relationships) = (attributes, relationships)
  }

  private struct Key: Equatable {
    let model: LayoutCache.Model
    let layout: SQLStoreLayout
    let checkingValues: Bool
  }

  private static let recent = RecentValues<Key, [TableChecks]>(capacity: 16)

  /// The checks of every table of a store, cached for stores with the same layout.
  static func tables(of hierarchy: EntityHierarchy, _ layout: SQLStoreLayout, checkingValues: Bool) -> [TableChecks] {
    let key = Key(model: .init(hierarchy: hierarchy), layout: layout, checkingValues: checkingValues)
    return recent.value(for: key) {
      RowCheckPlan(hierarchy: hierarchy, layout: layout).tables(checkingValues: checkingValues)
    }
  }

  /// The checks of every table, in the layout's order.
  ///
  /// - Parameter checkingValues: true to check the storage class of values and the completeness of composite values.
  private func tables(checkingValues: Bool) -> [TableChecks] {
    layout.tables.compactMap { table in
      switch table.content {
      case .hierarchy(let root):
        var checks = entityChecks(root: root) + table.columns.flatMap(checks(of:))
        if checkingValues {
          checks +=
            countChecks(root: root) + compositeChecks(of: table)
            + table.columns.flatMap(storageChecks)
        }
        return TableChecks(
          table: table.name, keyColumn: "Z_PK", checks: checks,
          references: table.columns.compactMap { references(of: $0, in: table) })
      case .join(let naming): return joinChecks(table, naming: naming)
      }
    }
  }

  private func entityChecks(root: String) -> [RowCheck] {
    let family = hierarchy.family(of: root)
    let numbers = family.compactMap { layout.number(of: $0.name) }.map(Int64.init)
    let abstract = family.filter(\.isAbstract).compactMap { layout.number(of: $0.name) }.map(Int64.init)
    var checks = [
      RowCheck(
        condition: "t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(Self.marks(numbers)))", arguments: numbers,
        kind: .unknownEntity, severity: family.count > 1 ? .error : .warning, entity: root, columns: ["Z_ENT"],
        sentence: family.count > 1
          ? "the entity number of rows does not belong to this table"
          : "the entity number of rows is wrong; Core Data does not read it in a table of one entity")
    ]
    if !abstract.isEmpty {
      checks.append(
        RowCheck(
          condition: "t.Z_ENT IN (\(Self.marks(abstract)))", arguments: abstract, kind: .abstractEntity, entity: root,
          columns: ["Z_ENT"], sentence: "rows belong to an abstract entity"))
    }
    return checks
  }

  private func checks(of column: SQLColumn) -> [RowCheck] {
    switch column.role {
    case .attribute(let address): mandatoryAttribute(address, column: column)
    case .toOne(let address): mandatoryRelationship(address, column: column)
    default: []
    }
  }

  private func references(of column: SQLColumn, in table: SQLTable) -> ReferenceChecks? {
    switch column.role {
    case .toOne(let address): toOne(address, column: column, in: table)
    case .toManyOwner(let address): references(column.name, to: address.entity, of: address, hasInverse: false)
    default: nil
    }
  }

  private func mandatoryAttribute(_ address: PropertyAddress, column: SQLColumn) -> [RowCheck] {
    mandatory(address, column: column) { entity in
      attributes[entity]?[address.property]?.isMandatory ?? false
    }
  }

  /// Checks for missing values, for each entity separately, because subentities may override a property.
  private func mandatory(
    _ address: PropertyAddress, column: SQLColumn, where isMandatory: (String) -> Bool
  ) -> [RowCheck] {
    let entities = hierarchy.family(of: address.entity).filter { !$0.isAbstract && isMandatory($0.name) }
    let numbers = entities.compactMap { layout.number(of: $0.name) }.map(Int64.init)
    guard !numbers.isEmpty else { return [] }
    return [
      RowCheck(
        condition: "t.\(SQLIdentifier(column.name)) IS NULL AND t.Z_ENT IN (\(Self.marks(numbers)))",
        arguments: numbers, kind: .missingValue, severity: .warning, entity: address.entity,
        property: address.property, columns: [column.name, "Z_ENT"], sentence: "the mandatory value is missing")
    ]
  }

  private func mandatoryRelationship(_ address: PropertyAddress, column: SQLColumn) -> [RowCheck] {
    mandatory(address, column: column) { entity in
      guard let relationship = relationships[entity]?[address.property] else { return false }
      return relationship.counts.isTooFew(0) && !relationship.isTransient
    }
  }

  /// Checks that each to-many relationship has at least its minimum and at most its maximum number of objects.
  private func countChecks(root: String) -> [RowCheck] {
    hierarchy.family(of: root).flatMap { entity in
      entity.relationships.filter { relationship in
        relationship.isToMany && !relationship.isTransient
          && hierarchy.allRelationships(of: entity.superentityName ?? "")[relationship.name] == nil
      }
      .flatMap { countChecks(of: PropertyAddress(entity: entity.name, property: $0.name)) }
    }
  }

  private func countChecks(of address: PropertyAddress) -> [RowCheck] {
    guard let (table, column) = links(of: address) else { return [] }
    let near = SQLIdentifier(column)
    func keys(having condition: String) -> String {
      """
      t.Z_PK IN (SELECT \(near) FROM \(SQLIdentifier(table)) WHERE \(near) IS NOT NULL GROUP BY \(near) \
      HAVING COUNT(*) \(condition))
      """
    }
    let entities = hierarchy.family(of: address.entity).filter { !$0.isAbstract }
    let counted = Dictionary(grouping: entities) { relationships[$0.name]?[address.property]?.counts }
    return counted.compactMap { counts, entities -> (first: Int64, checks: [RowCheck])? in
      let numbers = entities.compactMap { layout.number(of: $0.name) }.map(Int64.init)
      guard let counts, let first = numbers.first else { return nil }
      func check(_ condition: String, _ sentence: String) -> RowCheck {
        RowCheck(
          condition: "t.Z_ENT IN (\(Self.marks(numbers))) AND \(condition)", arguments: numbers, kind: .linkCount,
          severity: .warning, entity: address.entity, property: address.property, columns: ["Z_ENT"],
          sentence: sentence)
      }
      var checks: [RowCheck] = []
      if counts.least > 0 {
        let few = counts.allowsNone ? keys(having: "< \(counts.least)") : "NOT \(keys(having: ">= \(counts.least)"))"
        checks.append(check(few, "fewer objects than the minimum of \(counts.least)"))
      }
      if let most = counts.most {
        checks.append(check(keys(having: "> \(most)"), "more objects than the maximum of \(most)"))
      }
      return (first, checks)
    }
    .sorted { $0.first < $1.first }.flatMap(\.checks)
  }

  /// The table that has a row for each link of a to-many, and its column of the objects that have the relationship.
  private func links(of address: PropertyAddress) -> (table: String, column: String)? {
    switch layout.storage(ofRelationship: address, in: hierarchy) {
    case .owner(let table, let column, _): return (table, column)
    case .join(let table, let column, _, _, _): return (table, column)
    case .inverseOfToOne(let inverse):
      guard case .toOne(let table, let column, _, _)? = layout.storage(ofRelationship: inverse, in: hierarchy) else {
        return nil
      }
      return (table, column)
    case .toOne, nil: return nil
    }
  }

  private func toOne(_ address: PropertyAddress, column: SQLColumn, in table: SQLTable) -> ReferenceChecks? {
    guard let relationship = relationships[address.entity]?[address.property],
      let destination = relationship.destinationEntityName, let target = layout.table(ofEntity: destination),
      var references = references(
        column.name, to: destination, of: address, hasInverse: relationship.inverseName != nil)
    else { return nil }
    let row = Self.row(of: target.name, referredToBy: column.name)
    if let companion = table.column(.toOneEntity(address)) {
      references.companion = companion.name
      references.targetColumns.insert("Z_ENT")
      references.soundness += " AND d.Z_ENT IS t.\(SQLIdentifier(companion.name))"
      references.checks.append(
        RowCheck(
          condition: "EXISTS (\(row) AND d.Z_ENT IS NOT t.\(SQLIdentifier(companion.name)))", arguments: [],
          kind: .wrongDestinationNumber, entity: address.entity, property: address.property,
          columns: [column.name, companion.name],
          sentence: "the entity number next to the reference differs from that of the referenced row"))
    }
    if let inverse = toOneInverse(of: relationship, destination: destination, in: target) {
      references.targetColumns.insert(inverse.name)
      references.soundness += " AND d.\(SQLIdentifier(inverse.name)) IS t.Z_PK"
      references.checks.append(
        RowCheck(
          condition: "EXISTS (\(row) AND d.\(SQLIdentifier(inverse.name)) IS NOT t.Z_PK)", arguments: [],
          kind: .oneSided, entity: address.entity, property: address.property, columns: [column.name],
          sentence: "the destination row of the one-to-one relationship does not refer back"))
    }
    return references
  }

  private static func row(of table: String, referredToBy column: String) -> String {
    "SELECT 1 FROM \(SQLIdentifier(table)) AS d WHERE d.Z_PK = t.\(SQLIdentifier(column))"
  }

  /// Checks references to a different table: the row must exist, and be of an entity that the relationship accepts.
  private func references(
    _ column: String, to destination: String, of address: PropertyAddress, hasInverse: Bool
  ) -> ReferenceChecks? {
    guard let target = layout.table(ofEntity: destination) else { return nil }
    let row = Self.row(of: target.name, referredToBy: column)
    let numbers = layout.numbers(ofFamily: destination).map(Int64.init)
    var references = ReferenceChecks(
      column: column, target: target.name, soundness: "d.Z_PK = t.\(SQLIdentifier(column))",
      checks: [
        RowCheck(
          condition: "t.\(SQLIdentifier(column)) IS NOT NULL AND NOT EXISTS (\(row))", arguments: [],
          kind: .danglingReference, severity: hasInverse ? .error : .warning, entity: address.entity,
          property: address.property, columns: [column],
          sentence: "the referenced row of \(destination) does not exist")
      ])
    guard hierarchy.superentity(of: destination) != nil else { return references }
    references.targetColumns = ["Z_ENT"]
    references.soundness += " AND d.Z_ENT IN (\(Self.marks(numbers)))"
    references.arguments = numbers
    references.checks.append(
      RowCheck(
        condition: "EXISTS (\(row) AND d.Z_ENT NOT IN (\(Self.marks(numbers))))", arguments: numbers,
        kind: .wrongDestination, entity: address.entity, property: address.property, columns: [column],
        sentence: "the referenced row is not of \(destination) or one of its subentities"))
    return references
  }

  private func toOneInverse(
    of relationship: RelationshipDescription, destination: String, in target: SQLTable
  ) -> SQLColumn? {
    guard let name = relationship.inverseName, let inverse = hierarchy.allRelationships(of: destination)[name],
      !inverse.property.isToMany
    else { return nil }
    return target.column(.toOne(PropertyAddress(entity: inverse.entity.name, property: name)))
  }

  private func joinChecks(_ table: SQLTable, naming: PropertyAddress) -> TableChecks? {
    guard let source = table.column(.joinSource(naming)), let destination = table.column(.joinDestination(naming)),
      let target = relationships[naming.entity]?[naming.property]?.destinationEntityName
    else { return nil }
    let references = [(source, naming.entity), (destination, target)].compactMap { column, entity in
      self.references(column.name, to: entity, of: naming, hasInverse: true)
    }
    return TableChecks(table: table.name, keyColumn: source.name, checks: [], references: references)
  }

  static func marks(_ numbers: [Int64]) -> String { numbers.map { _ in "?" }.joined(separator: ", ") }

  /// Checks that composite values are complete, for each entity by its own declaration.
  private func compositeChecks(of table: SQLTable) -> [RowCheck] {
    var columns: [PropertyAddress: [String: String]] = [:]
    for column in table.columns {
      guard case .attribute(let element) = column.role else { continue }
      let name = PropertyAddress.property(ofPath: element.property)
      guard name != element.property else { continue }
      columns[PropertyAddress(entity: element.entity, property: name), default: [:]][element.property] = column.name
    }
    return columns.sorted { $0.key.description < $1.key.description }.flatMap { address, columns -> [RowCheck] in
      let entities = hierarchy.family(of: address.entity).filter { !$0.isAbstract }
      return Dictionary(grouping: entities) { attributes[$0.name]?[address.property] }
        .compactMap { declared, entities -> (numbers: [Int64], checks: [RowCheck])? in
          let numbers = entities.compactMap { layout.number(of: $0.name) }.map(Int64.init)
          guard let declared, declared.type == .composite, !declared.isTransient, !numbers.isEmpty else { return nil }
          let checks = CompositeChecks(entity: address.entity, numbers: numbers, columns: columns)
          return (numbers, checks.checks(of: declared))
        }
        .sorted { $0.numbers[0] < $1.numbers[0] }.flatMap(\.checks)
    }
  }

  /// Checks that the values of an attribute have the storage class of its type, and then that the type can hold them.
  ///
  /// SQLite orders values by storage class: NULL, numbers, text, bytes (sqlite.org/datatype3.html, section 4.1). One
  /// comparison is therefore enough.
  func storageChecks(of column: SQLColumn) -> [RowCheck] {
    guard case .attribute(let address) = column.role else { return [] }
    let value = "t.\(SQLIdentifier(column.name))"
    let (condition, expected): (String, String)
    switch column.type {
    case .integerPrimaryKey: return []
    case .integer: (condition, expected) = ("\(value) >= '' OR typeof(\(value)) = 'real'", "a whole number")
    case .float, .timestamp: (condition, expected) = ("\(value) >= ''", "a number")
    // Core Data stores decimal NaN as this text.
    case .decimal: (condition, expected) = ("\(value) >= '' AND \(value) <> 'NaN'", "a number")
    case .varchar: (condition, expected) = ("\(value) >= x''", "text")
    case .blob: (condition, expected) = ("\(value) < x''", "bytes")
    }
    var checks = [
      RowCheck(
        condition: condition, arguments: [], kind: .storageClass, severity: .warning, entity: address.entity,
        property: address.property, columns: [column.name], sentence: "the value is not stored as \(expected)")
    ]
    if column.type == .varchar {
      checks.append(
        RowCheck(
          condition: "NOT \(TextEncodingFunction.name)(\(value))", arguments: [], kind: .storageClass,
          entity: address.entity, property: address.property, columns: [column.name],
          sentence: "the text is not valid UTF-8 and cannot be read"))
    }
    return checks + demandChecks(address, column: column) + limitChecks(address, column: column)
  }

  /// Checks the values against the limits of the model, for each entity by its own declaration.
  private func limitChecks(_ address: PropertyAddress, column: SQLColumn) -> [RowCheck] {
    let entities = hierarchy.family(of: address.entity).filter { !$0.isAbstract }
    let rules = Dictionary(grouping: entities) { leaf(at: address, of: $0.name)?.validation ?? AttributeValidation() }
    return rules.compactMap { rules, entities -> (first: Int64, checks: [RowCheck])? in
      let numbers = entities.compactMap { layout.number(of: $0.name) }.map(Int64.init)
      let limits = ValueLimits.breaches(
        of: rules, by: "t.\(SQLIdentifier(column.name))", isText: column.type == .varchar)
      guard !limits.isEmpty, let first = numbers.first else { return nil }
      return (
        first,
        limits.map { limit in
          RowCheck(
            condition: "(\(limit.condition)) AND t.Z_ENT IN (\(Self.marks(numbers)))", arguments: numbers, kind: .limit,
            severity: .warning, entity: address.entity, property: address.property, columns: [column.name, "Z_ENT"],
            sentence: limit.sentence)
        }
      )
    }
    .sorted { $0.first < $1.first }.flatMap(\.checks)
  }

  /// Checks the demands on values, for each entity separately, because subentities may override an attribute.
  private func demandChecks(_ address: PropertyAddress, column: SQLColumn) -> [RowCheck] {
    let family = hierarchy.family(of: address.entity)
    let value = "t.\(SQLIdentifier(column.name))"
    let demands = Dictionary(grouping: family) { leaf(at: address, of: $0.name).flatMap { ValueDemand($0) } }
    return ValueDemand.allCases.flatMap { demand -> [RowCheck] in
      guard let entities = demands[demand] else { return [] }
      let isOfAll = entities.count == family.count
      let numbers = entities.compactMap { layout.number(of: $0.name) }.map(Int64.init)
      return demand.breaches(by: value).map { breach in
        RowCheck(
          condition: isOfAll ? breach.condition : "(\(breach.condition)) AND t.Z_ENT IN (\(Self.marks(numbers)))",
          arguments: isOfAll ? [] : numbers, kind: .storageClass, severity: .warning, entity: address.entity,
          property: address.property, columns: isOfAll ? [column.name] : [column.name, "Z_ENT"],
          sentence: breach.sentence)
      }
    }
  }

  /// The attribute of a column, as an entity declares it; for an element of a composite attribute, the element.
  private func leaf(at address: PropertyAddress, of entity: String) -> AttributeDescription? {
    attributes[entity]?[PropertyAddress.property(ofPath: address.property)]?.leaves
      .first { $0.path.joined(separator: ".") == address.property }?.attribute
  }
}
