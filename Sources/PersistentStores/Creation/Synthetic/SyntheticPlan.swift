import ModelDescription

/// How every column of a new store gets its synthetic values.
struct SyntheticPlan {
  /// What fills one or more columns of a row.
  enum Source {
    case attribute(SyntheticAttribute)
    /// A reference, then the number of its entity and its order where there are columns for them.
    case toOne(ToOnePattern, entityNumbers: [(end: Int, number: Int)]?, isOrdered: Bool)
  }

  /// The rows of one entity.
  struct EntityRows {
    let table: String
    let number: Int
    let rows: RowRange
    let columns: [String]
    let sources: [Source]
  }

  /// The rows of one join table.
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
