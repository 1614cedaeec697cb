import PersistentStores

extension StoreModel {
  /// The same model with its tables under the names they have while a plan of a mapping model runs.
  ///
  /// - Parameter kept: the tables that stay as they are, and keep their names.
  /// - Returns: the model with the other names.
  func staged(keeping kept: Set<String>) -> StoreModel {
    var layout = layout
    for position in layout.tables.indices where !kept.contains(layout.tables[position].name) {
      layout.tables[position].name = TemporaryName.source(layout.tables[position].name)
    }
    return StoreModel(hierarchy: hierarchy, layout: layout)
  }
}
