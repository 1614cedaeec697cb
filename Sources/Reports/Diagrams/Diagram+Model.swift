public import ModelDescription

extension Diagram {
  /// Pictures a model.
  ///
  /// - Parameters:
  ///   - name: the model's name.
  ///   - model: the model; what it does not know, such as a destination that is no entity, gets no line.
  public init(name: String, model: EntityHierarchy) {
    let entities = model.model.entities.sorted { $0.name < $1.name }
    self.init(title: name, nodes: entities.map(Node.init), edges: [])
    var drawn: Set<String> = []
    for entity in entities {
      if let parent = entity.superentityName, model.entity(named: parent) != nil {
        edges.append(Edge(kind: .inheritance, source: entity.name, target: parent))
      }
      for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
        guard let target = relationship.destinationEntityName, model.entity(named: target) != nil,
          drawn.insert("\(entity.name)\u{0}\(relationship.name)").inserted
        else { continue }
        let inverse = model.inverse(of: relationship, of: entity.name)
        if let inverse { drawn.insert("\(inverse.entity)\u{0}\(inverse.relationship.name)") }
        edges.append(
          Edge(
            kind: .relationship, source: entity.name, target: target,
            sourceEnd: inverse.map { End($0.relationship) }, targetEnd: End(relationship)))
      }
    }
  }
}

extension EntityHierarchy {
  /// The relationship at the other end, declared by the destination or an ancestor, that says the same of this one.
  ///
  /// A relationship that is its own inverse has none other.
  fileprivate func inverse(
    of relationship: RelationshipDescription, of entity: String
  ) -> (entity: String, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName, let destination = relationship.destinationEntityName else { return nil }
    for candidate in lineage(of: destination) {
      guard let found = candidate.relationships.first(where: { $0.name == name }) else { continue }
      guard found.inverseName == relationship.name, !(candidate.name == entity && name == relationship.name) else {
        return nil
      }
      return (candidate.name, found)
    }
    return nil
  }
}

extension Diagram.Edge {
  init(kind: Kind, source: String, target: String) {
    self.init(kind: kind, source: source, target: target, sourceEnd: nil, targetEnd: nil, mark: nil)
  }
}

extension Diagram.Node {
  init(_ entity: EntityDescription) {
    let attributes = entity.attributes.sorted { $0.name < $1.name }.map { attribute in
      Diagram.Row(
        name: attribute.name, type: attribute.compositeName ?? attribute.type.name, isOptional: attribute.isOptional)
    }
    let fetched = entity.fetchedProperties.sorted { $0.name < $1.name }.map { property in
      Diagram.Row(
        name: property.name, type: "fetched \(property.fetchRequest?.entityName ?? "objects")", isOptional: false)
    }
    self.init(name: entity.name, entity: entity.name, isAbstract: entity.isAbstract, rows: attributes + fetched)
  }
}

extension Diagram.End {
  init(_ relationship: RelationshipDescription) {
    let least = relationship.isToMany ? relationship.minCount : relationship.isOptional ? 0 : 1
    self.init(name: relationship.name, minimum: max(least, 0), maximum: max(relationship.maxCount, 0))
  }
}
