import ModelDescription

/// The sources of the synthetic values for every column of a new store.
struct SyntheticPlan {
  /// A source of values for one or more columns of a row.
  enum Source {
    case attribute(SyntheticAttribute)
    /// A reference, followed by the number of its entity and its order if there are columns for them.
    case toOne(ToOnePattern, entityNumbers: [(end: Int, number: Int)]?, isOrdered: Bool)
  }

  struct EntityRows {
    let table: String
    let number: Int
    let rows: RowRange
    let columns: [String]
    let sources: [Source]
  }

  struct JoinRows {
    let table: SQLTable
    let pattern: JoinPattern
  }

  let entities: [EntityRows]
  let joins: [JoinRows]

  /// How many rows will be written.
  var total: Int { entities.reduce(0) { $0 + $1.rows.count } + joins.reduce(0) { $0 + $1.pattern.count } }

  init(
    _ rows: SyntheticRows, hierarchy: EntityHierarchy, layout: SQLStoreLayout, space: RowSpace
  ) throws(StoreCreationError) {
    let uniqueness = try UniquenessPlan(hierarchy: hierarchy, space: space, seed: rows.seed)
    let sources = ColumnSources(
      hierarchy: hierarchy, space: space, seed: rows.seed, uniqueness: uniqueness, gaps: rows.gaps,
      numbers: rows.demands.numbers, exclusive: rows.demands.exclusive)
    entities = space.concreteEntities.compactMap { entity in
      guard let table = layout.table(ofEntity: entity.name), let number = layout.number(of: entity.name) else {
        return nil
      }
      let found = sources.sources(of: entity, in: table)
      return EntityRows(
        table: table.name, number: number, rows: space.ownRows(of: entity), columns: found.flatMap(\.columns),
        sources: found.map(\.source))
    }
    joins = layout.tables.compactMap { table in
      guard case .join(let naming) = table.content, let entity = hierarchy.entity(named: naming.entity),
        let relationship = entity.relationships.first(where: { $0.name == naming.property }),
        let ends = RelationshipEnds(relationship, declaredBy: entity.name, in: hierarchy)
      else { return nil }
      return JoinRows(table: table, pattern: JoinPattern(ends, space: space))
    }
  }
}

/// Finds the sources for the columns of an entity's rows.
struct ColumnSources {
  let hierarchy: EntityHierarchy
  let space: RowSpace
  let seed: UInt64
  let uniqueness: UniquenessPlan
  let gaps: SyntheticRows.Gaps
  let numbers: Set<PropertyAddress>
  /// The to-one relationships whose rows should all refer to different rows if there are enough rows.
  let exclusive: Set<PropertyAddress>
  private var isComplete: Bool { gaps == .none }

  /// The sources of the columns of an entity, including inherited columns, with the names of the columns.
  func sources(
    of entity: EntityDescription, in table: SQLTable
  ) -> [(columns: [String], source: SyntheticPlan.Source)] {
    let lineage = Set(hierarchy.lineage(of: entity.name).map(\.name))
    return table.columns.compactMap { column in
      switch column.role {
      case .attribute(let address) where lineage.contains(address.entity):
        attribute(at: address, of: entity).map { ([column.name], .attribute($0)) }
      case .toOne(let address) where lineage.contains(address.entity): toOne(at: address, column: column, in: table)
      case .toManyOwner(let address): owner(at: address, of: lineage, column: column, in: table)
      default: nil
      }
    }
  }

  /// The generator of an attribute; an override in a sub-entity brings its own validation.
  private func attribute(at address: PropertyAddress, of entity: EntityDescription) -> SyntheticAttribute? {
    let path = address.property.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let name = path.first, let declared = hierarchy.allAttributes(of: entity.name)[name]?.property else {
      return nil
    }
    if let derivation = declared.derivation,
      DerivationPath(derivation.expression, of: address.entity, in: hierarchy) != nil
    {
      return nil
    }
    guard let element = CompositeElement(at: path, of: declared) else { return nil }
    let sharedGaps = element.sharedGaps.map { place in
      let other = PropertyAddress(entity: address.entity, property: place.path.joined(separator: "."))
      return values(of: place.attribute, at: other, isOptional: true)
    }
    return values(of: element.attribute, at: address, isOptional: element.isOptional, sharedGaps: sharedGaps)
  }

  private func values(
    of attribute: AttributeDescription, at address: PropertyAddress, isOptional: Bool,
    sharedGaps: [SyntheticAttribute] = []
  ) -> SyntheticAttribute {
    let divisor = uniqueness.divisors[address] ?? (isComplete ? 1 : nil)
    let choice = divisor.map { SyntheticAttribute.Choice.ordinal(divisor: $0) } ?? .random
    return SyntheticAttribute(
      attribute, address: address, isOptional: isOptional, seed: seed, choice: choice,
      isNumber: numbers.contains(address), gapsAmong: gaps == .certain ? min(8, space.rowsPerEntity) : nil,
      sharedGaps: sharedGaps)
  }

  private func toOne(
    at address: PropertyAddress, column: SQLColumn, in table: SQLTable
  ) -> (columns: [String], source: SyntheticPlan.Source)? {
    guard let ends = ends(at: address) else { return nil }
    let entityColumn = table.column(.toOneEntity(address))?.name
    let orderColumn = table.column(.toOneOrder(address))?.name
    let root = hierarchy.rootName(of: ends.destination.name)
    return (
      [column.name] + [entityColumn, orderColumn].compactMap { $0 },
      .toOne(
        ToOnePattern(
          ends, space: space, seed: seed, isInjective: uniqueness.injective.contains(address) || isExclusive(ends),
          isComplete: isComplete),
        entityNumbers: entityColumn.map { _ in space.entityNumbers(ofRoot: root) }, isOrdered: orderColumn != nil)
    )
  }

  /// True if later versions require different destinations, and every row still gets its required link.
  private func isExclusive(_ ends: RelationshipEnds) -> Bool {
    exclusive.contains(ends.address)
      && (ends.relationship.leastLinks == 0
        || space.rows(of: ends.address.entity).count <= space.rows(of: ends.destination.name).count)
  }

  private func owner(
    at address: PropertyAddress, of lineage: Set<String>, column: SQLColumn, in table: SQLTable
  ) -> (columns: [String], source: SyntheticPlan.Source)? {
    guard let ends = ends(at: address), lineage.contains(ends.destination.name) else { return nil }
    let orderColumn = table.column(.toManyOwnerOrder(address))?.name
    return (
      [column.name] + [orderColumn].compactMap { $0 },
      .toOne(
        ToOnePattern(owner: ends, space: space, seed: seed, isComplete: isComplete), entityNumbers: nil,
        isOrdered: orderColumn != nil)
    )
  }

  private func ends(at address: PropertyAddress) -> RelationshipEnds? {
    hierarchy.entity(named: address.entity)?.relationships.first { $0.name == address.property }
      .flatMap { RelationshipEnds($0, declaredBy: address.entity, in: hierarchy) }
  }
}

/// An element of a composite attribute, with the gaps that make each composite value either complete or nil.
///
/// All elements share the gaps of the first required element.
struct CompositeElement {
  /// An element with its path.
  typealias Leaf = (path: [String], attribute: AttributeDescription)

  /// The element, or the attribute itself if it is not composite.
  let attribute: AttributeDescription
  /// True when it has gaps of its own.
  let isOptional: Bool
  let sharedGaps: [Leaf]

  /// Follows a path through the elements of an attribute; nil if the path leads to no value.
  init?(at path: [String], of declared: AttributeDescription) {
    var element = declared
    // The first required element is both: it has the gaps of the composite value, and a value wherever that one is.
    var (hasGaps, isRequired) = (declared.isOptional, !declared.isOptional)
    var shared: [Leaf] = []
    for depth in path.indices.dropFirst() {
      guard let next = element.elements.first(where: { $0.name == path[depth] }) else { return nil }
      let first = element.firstElement(isRequired: isRequired)
      if next.name == first?.name {
        isRequired = true
      } else {
        if hasGaps, let first { shared.append(first.firstLeaf(below: Array(path[..<depth]))) }
        (hasGaps, isRequired) = (next.isOptional, !next.isOptional)
      }
      element = next
    }
    guard element.type != .composite else { return nil }
    attribute = element
    isOptional = hasGaps
    sharedGaps = shared
  }
}

extension AttributeDescription {
  /// The first element that makes a composite value complete; nil if any element does.
  ///
  /// A composite value without elements is nil, so a required value has at least its first element.
  fileprivate func firstElement(isRequired: Bool) -> AttributeDescription? {
    elements.first { !$0.isOptional && $0.hasColumn } ?? (isRequired ? elements.first(where: \.hasColumn) : nil)
  }

  /// The first required value below a path.
  fileprivate func firstLeaf(below path: [String]) -> CompositeElement.Leaf {
    let path = path + [name]
    return firstElement(isRequired: true)?.firstLeaf(below: path) ?? (path: path, attribute: self)
  }

  private var hasColumn: Bool { leaves.contains { SQLColumn.DeclaredType($0.attribute.type) != nil } }
}

/// The rows of a join table, by arithmetic alone: each source has the same number of destinations, evenly spread.
struct JoinPattern {
  /// A row of a join table.
  struct Link {
    let source: Int
    let destination: Int
    /// The position of the source among the destination's objects, from 0.
    let sourceRank: Int
    /// The position of the destination among the source's objects, from 0.
    let destinationRank: Int
  }

  private let sources: RowRange
  private let destinations: RowRange
  private let degree: Int
  private let isReflexive: Bool
  /// How many sources have destinations.
  private let linkedSources: Int

  /// How many rows there are.
  var count: Int { linkedSources * degree }

  init(_ ends: RelationshipEnds, space: RowSpace) {
    sources = space.rows(of: ends.address.entity)
    destinations = space.rows(of: ends.destination.name)
    isReflexive = ends.isReflexive
    guard destinations.count > 0, let inverse = ends.inverse?.relationship else {
      (degree, linkedSources) = (0, 0)
      return
    }
    if isReflexive {
      let least = min(ends.relationship.leastLinks, sources.count)
      degree = min(max(2, least + least % 2), sources.count - 1)
      linkedSources = sources.count
      return
    }
    let least = min(ends.relationship.leastLinks, destinations.count)
    let inverseLeast = min(inverse.leastLinks, sources.count)
    let shared = sources.count > 0 ? (inverseLeast * destinations.count + sources.count - 1) / sources.count : 0
    let wanted = max(2, least, shared)
    let most = min(ends.relationship.maxCount > 0 ? ends.relationship.maxCount : wanted, destinations.count)
    var degree = max(1, min(most, wanted))
    let capacity = destinations.capacity(forEach: inverse.maxCount)
    if sources.count > 0, capacity / sources.count >= max(1, least) { degree = min(degree, capacity / sources.count) }
    self.degree = degree
    linkedSources = min(sources.count, capacity / degree)
  }

  /// The row at a position below ``count``.
  func link(at position: Int) -> Link {
    let source = position / degree
    let place = position % degree
    if isReflexive {
      let step = place % 2 == 0 ? place / 2 + 1 : sources.count - place / 2 - 1
      return Link(
        source: sources.primaryKey(at: source), destination: sources.primaryKey(at: (source + step) % sources.count),
        sourceRank: place, destinationRank: place)
    }
    return Link(
      source: sources.primaryKey(at: source),
      destination: destinations.primaryKey(at: (position + 1) % destinations.count),
      sourceRank: (position + 1) / destinations.count, destinationRank: place)
  }
}
