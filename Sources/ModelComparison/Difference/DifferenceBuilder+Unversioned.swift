import ModelDescription

/// The elements without hashes: indexes, fetched properties, fetch requests, configurations, declarations of composites.
extension DifferenceBuilder {
  mutating func compareFetchIndexes(_ sourceEntity: EntityDescription, _ entity: EntityDescription) {
    compareByName(
      sourceEntity.fetchIndexes,
      entity.fetchIndexes,
      name: \.name,
      element: { .fetchIndex(entity: entity.name, name: $0) },
      sourceElement: { .fetchIndex(entity: sourceEntity.name, name: $0) },
      aspects: { AspectComparison($0, $1).entries }
    )
  }

  mutating func compareFetchedProperties(_ sourceEntity: EntityDescription, _ entity: EntityDescription) {
    compareByName(
      sourceEntity.fetchedProperties,
      entity.fetchedProperties,
      name: \.name,
      element: { .property(entity: entity.name, name: $0) },
      sourceElement: { .property(entity: sourceEntity.name, name: $0) },
      aspects: { AspectComparison($0, $1).entries }
    )
  }

  mutating func compareModels() {
    let (sourceModel, model) = (source.model, destination.model)
    compareByName(
      sourceModel.composites,
      model.composites,
      name: \.name,
      element: { .composite($0) },
      sourceElement: { .composite($0) },
      aspects: { AspectComparison(elements: $0.elements, $1.elements).entries }
    )
    compareByName(
      sourceModel.fetchRequests,
      model.fetchRequests,
      name: \.name,
      element: { .fetchRequest($0) },
      sourceElement: { .fetchRequest($0) },
      aspects: { AspectComparison($0, $1).entries }
    )
    compareByName(
      sourceModel.configurations,
      model.configurations,
      name: \.name,
      element: { .configuration($0) },
      sourceElement: { .configuration($0) },
      aspects: { AspectComparison(members: $0.entityNames, $1.entityNames).entries }
    )
    if sourceModel.versionIdentifiers != model.versionIdentifiers {
      add(
        .model,
        from: .model,
        .changed(
          .versionIdentifiers, from: .names(sourceModel.versionIdentifiers), to: .names(model.versionIdentifiers)),
        changesHash: false
      )
    }
  }

  private mutating func compareByName<Value>(
    _ sourceValues: [Value],
    _ destinationValues: [Value],
    name: (Value) -> String,
    element: (String) -> ModelElement,
    sourceElement: (String) -> ModelElement,
    aspects: (Value, Value) -> [AspectComparison.Entry]
  ) {
    let sourceByName = Dictionary(sourceValues.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    let destinationByName = Dictionary(
      destinationValues.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    for key in Set(sourceByName.keys).union(destinationByName.keys).sorted() {
      switch (sourceByName[key], destinationByName[key]) {
      case (let old?, let new?):
        for entry in aspects(old, new) {
          add(
            element(key),
            from: sourceElement(key),
            .changed(entry.aspect, from: entry.from, to: entry.to),
            changesHash: false
          )
        }
      case (nil, _?): add(element(key), from: nil, .added, changesHash: false)
      case (_?, nil): add(sourceElement(key), from: sourceElement(key), .removed, changesHash: false)
      case (nil, nil): break
      }
    }
  }
}

extension AspectComparison {
  fileprivate init(elements sourceValues: [AttributeDescription], _ destinationValues: [AttributeDescription]) {
    self.init(
      AttributeDescription(name: "", type: .composite, elements: sourceValues),
      AttributeDescription(name: "", type: .composite, elements: destinationValues)
    )
  }

  fileprivate init(members sourceValues: [String], _ destinationValues: [String]) {
    self.init(.members, .names(sourceValues.sorted()), .names(destinationValues.sorted()))
  }
}
