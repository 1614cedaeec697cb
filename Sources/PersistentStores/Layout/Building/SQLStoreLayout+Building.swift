public import ModelDescription

extension SQLStoreLayout {
  /// Lays out the store of a model exactly as Core Data does.
  ///
  /// A store opened with a configuration holds `ManagedObjectModel.restricted(toConfiguration:)` of its model.
  ///
  /// - Parameters:
  ///   - hierarchy: the model.
  ///   - entityNumbers: the numbers of an existing store by entity name; nil numbers the entities as in a fresh store.
  ///   - names: what is known of the names of join tables with both ends on one entity.
  public init(
    of hierarchy: EntityHierarchy, entityNumbers: [String: Int]? = nil, names: SelfJoinNames = SelfJoinNames()
  ) {
    let numbering = EntityNumbering(of: hierarchy, known: entityNumbers)
    self = LayoutMemory.layout(of: hierarchy, numbering, names) { walk in
      SQLStoreLayout(of: hierarchy, numbering, walk, names)
    }
  }

  private init(of hierarchy: EntityHierarchy, _ numbering: EntityNumbering, _ walk: ModelWalk, _ names: SelfJoinNames) {
    var warnings: [LayoutWarning] = []
    var owners: [String: [RelationshipEnds]] = [:]
    for entity in hierarchy.numberedEntities {
      for ends in hierarchy.relationshipEnds(of: entity) where ends.relationship.isToMany && ends.inverse == nil {
        owners[hierarchy.rootName(of: ends.destination.name), default: []].append(ends)
      }
      for relationship in entity.relationships where !relationship.isTransient {
        let destination = relationship.destinationEntityName
        guard destination.flatMap({ hierarchy.entity(named: $0) }) == nil else { continue }
        warnings.append(
          .relationshipWithoutDestination(
            PropertyAddress(entity: entity.name, property: relationship.name), destination: destination))
      }
    }

    var hierarchyTables: [SQLTable] = []
    for root in hierarchy.roots {
      var builder = HierarchyTableBuilder(
        root: root, owners: owners[root.name] ?? [], hierarchy: hierarchy, numbers: numbering.numbers, walk: walk)
      hierarchyTables.append(builder.table())
      warnings += builder.warnings
    }
    let joins = JoinTableBuilder(
      walk: walk, numbers: numbering.numbers, taken: hierarchyTables.map(\.name), names: names)
    var indexes = IndexBuilder(hierarchy: hierarchy, tables: hierarchyTables)
    var triggers = DerivedAttributeTriggerBuilder(
      hierarchy: hierarchy, tables: hierarchyTables, numbers: numbering.numbers)
    var tables: [SQLTable] = []
    for (root, table) in zip(hierarchy.roots, hierarchyTables) {
      let family = hierarchy.family(of: root.name)
      let joinTables = family.flatMap { joins.tables(namedBy: $0) }
      tables.append(table)
      tables += joinTables
      indexes.addIndexes(of: table, family: family, joinTables: joinTables)
      triggers.addTriggers(of: family)
    }
    self.init(
      entityNumbers: numbering.rows,
      tables: tables,
      indexes: indexes.indexes,
      spatialIndexes: indexes.spatialIndexes,
      triggers: triggers.triggers + indexes.spatialTriggers,
      selfJoins: joins.selfJoins,
      warnings: warnings + joins.selfJoins.filter { $0.evidence == .guess }.map { .selfJoinName($0) } + indexes.warnings
        + triggers.warnings
    )
  }
}
