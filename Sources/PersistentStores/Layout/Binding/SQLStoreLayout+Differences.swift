extension SQLStoreLayout {
  /// Compares the schema of a store with this layout.
  ///
  /// Indexes are compared by table, uniqueness, condition and columns with their direction, because migrations of Core
  /// Data leave old names. The order of a table's columns does not have an effect. Names are compared without case.
  ///
  /// - Returns: the differences in the order of the layout, followed by the store's additional parts.
  public func differences(from snapshot: StoreSnapshot) -> [LayoutDifference] {
    numberDifferences(snapshot) + tableDifferences(snapshot) + indexDifferences(snapshot)
      + triggerDifferences(snapshot)
  }

  private func numberDifferences(_ snapshot: StoreSnapshot) -> [LayoutDifference] {
    let rows = Dictionary(snapshot.entityRows.map { ($0.name, $0) }) { first, _ in first }
    let names = Set(entityNumbers.map(\.name))
    var renamed: Set<String> = []
    var differences: [LayoutDifference] = []
    for entity in entityNumbers {
      guard let row = rows[entity.name] else {
        if let row = snapshot.entityRows.first(where: { $0.number == entity.number && !names.contains($0.name) }),
          row.superentityNumber == entity.superentityNumber
        {
          differences.append(.entityName(expected: entity.name, actual: row.name))
          renamed.insert(row.name)
        } else {
          differences.append(.missingEntity(name: entity.name))
        }
        continue
      }
      if row.number != entity.number {
        differences.append(.entityNumber(name: entity.name, expected: entity.number, actual: row.number))
      } else if row.superentityNumber != entity.superentityNumber {
        differences.append(
          .superentityNumber(name: entity.name, expected: entity.superentityNumber, actual: row.superentityNumber))
      }
    }
    for row in snapshot.entityRows where !names.contains(row.name) && !renamed.contains(row.name) && !row.isService {
      differences.append(.unknownEntity(name: row.name, number: row.number))
    }
    return differences
  }

  private func tableDifferences(_ snapshot: StoreSnapshot) -> [LayoutDifference] {
    let actual = Dictionary(snapshot.tables.map { ($0.name.uppercased(), $0) }) { first, _ in first }
    var differences: [LayoutDifference] = []
    for table in tables {
      guard let found = actual[table.name.uppercased()] else {
        differences.append(.missingTable(table.name))
        continue
      }
      let columns = Dictionary(found.columns.map { ($0.name.uppercased(), $0) }) { first, _ in first }
      for column in table.columns {
        let type = column.type.valueType
        guard let foundColumn = columns[column.name.uppercased()] else {
          differences.append(.missingColumn(table: found.name, column: column.name, type: type))
          continue
        }
        if foundColumn.type.uppercased() != type {
          differences.append(
            .columnType(table: found.name, column: column.name, expected: type, actual: foundColumn.type))
        }
      }
      let predicted = Set(table.columns.map { $0.name.uppercased() })
      for column in found.columns where !predicted.contains(column.name.uppercased()) {
        differences.append(.extraColumn(table: found.name, column: column.name))
      }
    }
    let predicted = Set(tables.map { $0.name.uppercased() })
    for table in snapshot.tables where !predicted.contains(table.name.uppercased()) && !table.isSystem {
      differences.append(table.isService ? .serviceTable(table.name) : .extraTable(table.name))
    }
    return differences
  }

  private func indexDifferences(_ snapshot: StoreSnapshot) -> [LayoutDifference] {
    let forms = snapshot.indexes.map { IndexForm($0) }
    let matching = IndexMatching(
      wanted: indexes, actual: snapshot.indexes.indices.map { (snapshot.indexes[$0].name, forms[$0]) })
    var named = Dictionary(
      matching.surplus.map { (snapshot.indexes[$0].name.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
    var differences: [LayoutDifference] = []
    for (index, match) in zip(indexes, matching.matches) where match == nil {
      if let position = named.removeValue(forKey: index.name.uppercased()), let sql = snapshot.indexes[position].sql {
        differences.append(.indexDefinition(index, actual: sql))
      } else {
        differences.append(.missingIndex(index))
      }
    }
    let predicted = Set(indexes.map { IndexForm($0) })
    let predictedNames = Set(differences.compactMap(\.definedIndexName))
    let tableNames = Set(tables.map { $0.name.uppercased() })
    for (index, form) in zip(snapshot.indexes, forms) where tableNames.contains(index.table.uppercased()) {
      guard !(form.map(predicted.contains) ?? false), !predictedNames.contains(index.name.uppercased()),
        !isPrimaryKey(index)
      else { continue }
      differences.append(.extraIndex(name: index.name, table: index.table, isUnique: index.isUnique))
    }
    return differences
  }

  /// True for the inline index of a join table's primary key.
  private func isPrimaryKey(_ index: StoreSnapshot.Index) -> Bool {
    guard index.isInline, let table = tables.first(where: { $0.name.uppercased() == index.table.uppercased() }) else {
      return false
    }
    return Set(index.columns.map { $0.uppercased() }) == Set(table.primaryKeyColumns.map { $0.name.uppercased() })
  }

  private func triggerDifferences(_ snapshot: StoreSnapshot) -> [LayoutDifference] {
    let actual = Set(snapshot.triggers.map { $0.name.uppercased() })
    let virtualTables = Set(snapshot.virtualTables.map { $0.uppercased() })
    let predicted = Set(triggers.map { $0.name.uppercased() })
    var differences: [LayoutDifference] = spatialIndexes.filter { !virtualTables.contains($0.name.uppercased()) }
      .map { .missingSpatialIndex($0.name) }
    differences += triggers.filter { !actual.contains($0.name.uppercased()) }
      .map { .missingTrigger(name: $0.name, table: $0.table) }
    differences += snapshot.triggers.filter { !predicted.contains($0.name.uppercased()) }
      .map { .extraTrigger(name: $0.name, table: $0.table) }
    return differences
  }
}

extension LayoutDifference {
  /// The upper-cased name of an index that has another definition.
  fileprivate var definedIndexName: String? {
    if case .indexDefinition(let index, _) = self { index.name.uppercased() } else { nil }
  }
}
