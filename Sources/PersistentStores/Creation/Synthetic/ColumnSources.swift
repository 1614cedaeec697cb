import ModelDescription

/// Finds what fills the columns of an entity's rows.
struct ColumnSources {
  let hierarchy: EntityHierarchy
  let space: RowSpace
  let seed: UInt64
  let uniqueness: UniquenessPlan
  let gaps: SyntheticRows.Gaps
  /// The texts that are to be numbers.
  let numbers: Set<PropertyAddress>
  /// The to-one relationships through which no two rows are to refer to the same one, where there are enough.
  let exclusive: Set<PropertyAddress>
  private var isComplete: Bool { gaps == .none }

  /// The sources of an entity's columns, its inherited ones included, each with the names of its columns.
  func sources(
    of entity: EntityDescription, in table: SQLTable
  ) -> [(columns: [String], source: SyntheticPlan.Source)] {
    let lineage = Set(hierarchy.lineage(of: entity.name).map(\.name))
    return table.columns.compactMap { column in
      switch column.role {
      case .attribute(let address) where lineage.contains(address.entity):
        attribute(at: address, of: entity).map { ([column.name], .attribute($0)) }
      case .toOne(let address) where lineage.contains(address.entity):
        toOne(at: address, column: column, in: table)
      case .toManyOwner(let address):
        owner(at: address, of: lineage, column: column, in: table)
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

  /// True where later versions let one row refer to each, which leaves no row without a link that it must have.
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
