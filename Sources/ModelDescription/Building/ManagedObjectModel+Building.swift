extension ManagedObjectModel {
  /// Makes a model from a description in Swift.
  ///
  /// ```swift
  /// let model = ManagedObjectModel {
  ///   Entity("Order") {
  ///     Attribute("number", .integer64, default: 0)
  ///     Relationship("rows", toMany: "RowOfOrder", inverse: "order", deleteRule: .cascade)
  ///   }
  ///   Entity("RowOfOrder") {
  ///     Attribute("quantity", .double, default: 1)
  ///     Relationship("order", toOne: "Order", inverse: "rows")
  ///   }
  /// }
  /// ```
  ///
  /// The value is the one that the same model in XML is read as, so that it has the same hashes. What the compiler cannot
  /// see is not checked here: ``EntityHierarchy`` refuses a model that is no hierarchy, and the rules of `modelctl check`
  /// find what is wrong beyond that, such as a relationship to an entity that is not there.
  ///
  /// - Parameters:
  ///   - versionIdentifiers: the developer's own version identifiers; they enter no hash.
  ///   - contents: entities, composite types, configurations and fetch request templates, in any order.
  public init(versionIdentifiers: [String] = [], @ModelBuilder _ contents: () -> ModelContents) {
    self.init(entities: [], versionIdentifiers: versionIdentifiers)
    for component in contents().components { component.add(to: &self) }
    self = CompositeResolution(self).model
  }
}
