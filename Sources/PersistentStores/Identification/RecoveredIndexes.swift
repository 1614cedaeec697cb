import ModelDescription

/// The indexes of a model that was made by edits of a version: what is edited are properties, which indexes name.
struct RecoveredIndexes {
  private let hierarchy: EntityHierarchy
  /// What properties were called, by what the version calls them, by the entities that declare them.
  private let renames: [String: [String: String]]

  init(of hierarchy: EntityHierarchy, after differences: [EntityDifference]) {
    self.hierarchy = hierarchy
    var renames: [String: [String: String]] = [:]
    for case .edited(let edits) in differences.map(\.kind) {
      for edit in edits {
        guard case .renamedProperty(let name, let storeName) = edit.change else { continue }
        renames[edit.entity, default: [:]][name] = storeName
      }
    }
    self.renames = renames
  }

  /// Lets indexes follow properties that were renamed, and drops those of properties that are not there.
  func fit(_ model: inout ManagedObjectModel) {
    for position in model.entities.indices {
      let columns = Columns(of: model.entities[position].name, self)
      model.entities[position].fetchIndexes = model.entities[position].fetchIndexes.compactMap(columns.fitting)
      model.entities[position].compoundIndexes = model.entities[position].compoundIndexes.compactMap { members in
        let names = members.compactMap(columns.name)
        return names.count == members.count ? names : nil
      }
    }
  }

  /// What the indexes of one entity may name.
  private struct Columns {
    private let names: Set<String>
    private let renames: [String: String]

    init(of entity: String, _ indexes: RecoveredIndexes) {
      let properties = Array(indexes.hierarchy.allAttributes(of: entity).keys)
      names = Set(properties).union(indexes.hierarchy.allRelationships(of: entity).keys).union(["self", "entity"])
      renames = indexes.hierarchy.lineage(of: entity).reduce(into: [:]) { all, ancestor in
        all.merge(indexes.renames[ancestor.name] ?? [:]) { own, _ in own }
      }
    }

    /// What a column was called, nil for one that was not there.
    func name(_ column: String) -> String? {
      let key = String(column.prefix { $0 != "." })
      guard !names.contains(key) else { return column }
      guard let storeName = renames[key], names.contains(storeName) else { return nil }
      return storeName + column.dropFirst(key.count)
    }

    /// The index over what its columns were called, nil where one was not there.
    func fitting(_ index: FetchIndexDescription) -> FetchIndexDescription? {
      var fitting = index
      for position in index.elements.indices {
        guard case .property(let column) = index.elements[position].subject else { continue }
        guard let name = name(column) else { return nil }
        fitting.elements[position].subject = .property(name)
      }
      return fitting
    }
  }
}
