extension EntityDescription {
  /// The fetch indexes that the entity declares in any of the three forms, sorted by name.
  ///
  /// Core Data makes a fetch index of an attribute that is marked as indexed, named after it, and of a compound index.
  package var allFetchIndexes: [FetchIndexDescription] {
    var indexes = fetchIndexes
    var names = Set(indexes.map(\.name))
    let older = attributes.filter { $0.isIndexed && !$0.isTransient }.map { [$0.name] } + compoundIndexes
    for properties in older where !properties.isEmpty {
      let name = properties.joined(separator: "_")
      guard names.insert(name).inserted else { continue }
      indexes.append(
        FetchIndexDescription(
          name: name, elements: properties.map { FetchIndexDescription.Element(subject: .property($0)) }))
    }
    return indexes.sorted { $0.name.precedesByBytes($1.name) }
  }
}
