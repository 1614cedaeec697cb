import ModelDescription

/// What enters no hash: indexes, fetched properties, fetch requests, configurations, composites' own declarations.
extension DifferenceBuilder {
  mutating func compareFetchIndexes(_ former: EntityDescription, _ entity: EntityDescription) {
    compareByName(
      former.fetchIndexes,
      entity.fetchIndexes,
      name: \.name,
      element: { .fetchIndex(entity: entity.name, name: $0) },
      formerElement: { .fetchIndex(entity: former.name, name: $0) },
      aspects: { AspectComparison($0, $1).entries },
      effect: "existing stores keep their indexes"
    )
  }

  mutating func compareFetchedProperties(_ former: EntityDescription, _ entity: EntityDescription) {
    compareByName(
      former.fetchedProperties,
      entity.fetchedProperties,
      name: \.name,
      element: { .property(entity: entity.name, name: $0) },
      formerElement: { .property(entity: former.name, name: $0) },
      aspects: { AspectComparison($0, $1).entries },
      effect: "no effect on the data"
    )
  }

  mutating func compareModels() {
    let (former, model) = (source.model, destination.model)
    compareByName(
      former.composites,
      model.composites,
      name: \.name,
      element: { .composite($0) },
      formerElement: { .composite($0) },
      aspects: { AspectComparison(elements: $0.elements, $1.elements).entries },
      effect: "what changes is told at the attributes that use it"
    )
    compareByName(
      former.fetchRequests,
      model.fetchRequests,
      name: \.name,
      element: { .fetchRequest($0) },
      formerElement: { .fetchRequest($0) },
      aspects: { AspectComparison($0, $1).entries },
      effect: "no effect on the data"
    )
    compareByName(
      former.configurations,
      model.configurations,
      name: \.name,
      element: { .configuration($0) },
      formerElement: { .configuration($0) },
      aspects: { AspectComparison(members: $0.entityNames, $1.entityNames).entries },
      effect: "entities may belong to another store"
    )
    if former.versionIdentifiers != model.versionIdentifiers {
      add(
        .model,
        from: .model,
        .changed(.versionIdentifiers, from: .names(former.versionIdentifiers), to: .names(model.versionIdentifiers)),
        .unversioned()
      )
    }
  }

  private mutating func compareByName<Value>(
    _ former: [Value],
    _ latter: [Value],
    name: (Value) -> String,
    element: (String) -> ModelElement,
    formerElement: (String) -> ModelElement,
    aspects: (Value, Value) -> [AspectComparison.Entry],
    effect: String
  ) {
    let formerByName = Dictionary(former.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    let latterByName = Dictionary(latter.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
    for key in Set(formerByName.keys).union(latterByName.keys).sorted() {
      switch (formerByName[key], latterByName[key]) {
      case (let old?, let new?):
        for entry in aspects(old, new) {
          add(
            element(key),
            from: formerElement(key),
            .changed(entry.aspect, from: entry.from, to: entry.to),
            .unversioned(effect)
          )
        }
      case (nil, _?): add(element(key), from: nil, .added, .unversioned(effect))
      case (_?, nil): add(formerElement(key), from: formerElement(key), .removed, .unversioned(effect))
      case (nil, nil): break
      }
    }
  }
}

extension AspectComparison {
  fileprivate init(elements former: [AttributeDescription], _ latter: [AttributeDescription]) {
    self.init(
      AttributeDescription(name: "", type: .composite, elements: former),
      AttributeDescription(name: "", type: .composite, elements: latter)
    )
  }

  fileprivate init(members former: [String], _ latter: [String]) {
    self.init(.members, .names(former.sorted()), .names(latter.sorted()))
  }
}
