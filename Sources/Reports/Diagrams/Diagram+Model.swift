public import ModelDescription

extension Diagram {
  /// Creates a diagram of a model.
  ///
  /// - Parameter model: the model; a relationship without a known destination gets no line.
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
  /// The inverse of the relationship, declared by the destination or an ancestor.
  ///
  /// A relationship that is its own inverse does not have another inverse.
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

extension Diagram {
  /// The picture in words: a part a box, in it a fact a line of the box and a line that begins or ends there.
  public var outline: Outline {
    var sentences: [String: [String]] = [:]
    for edge in edges {
      for node in Set([edge.source, edge.target]) { sentences[node, default: []] += edge.sentences(at: node) }
    }
    return Outline(
      title, facts: [summary],
      parts: nodes.map { node in
        let title = (["entity \(node.name)"] + node.remarks).joined(separator: ", ")
        return Outline(
          title,
          facts: node.rows.map(\.sentence) + [node.omission].compactMap { $0 } + sentences[node.name, default: []])
      })
  }
}

extension Diagram.Row {
  fileprivate var sentence: String {
    "\(name), \(type), \(isOptional ? "optional" : "required")"
      + ((note ?? mark?.rawValue).map { ": \($0)" } ?? "")
  }
}

extension Diagram.Edge {
  /// The line as seen from one of its boxes; both ends if it connects a box with itself.
  fileprivate func sentences(at node: String) -> [String] {
    let remark = mark.map { ": \($0.rawValue)" } ?? ""
    guard kind == .relationship else { return node == source ? ["inherits from \(target)\(remark)"] : [] }
    let ends = [
      node == source ? targetEnd.map { ($0, target) } : nil, node == target ? sourceEnd.map { ($0, source) } : nil,
    ]
    return ends.compactMap { $0 }.map { end, destination in
      let remark = change(of: end).map { ": \($0)" } ?? ""
      return "relationship \(end.name) to \(destination), \(end.words)\(remark)"
    }
  }
}

extension Diagram.Edge {
  /// The change of an end in words; nil if it is unchanged.
  private func change(of end: Diagram.End) -> String? {
    end.note ?? (end.mark ?? mark.flatMap { $0 == .changed ? nil : $0 })?.rawValue
  }

  /// The changes of the line, each by its entity and relationship.
  var changes: [String] {
    guard kind == .relationship else { return mark.map { ["\(source) inherits from \(target): \($0.rawValue)"] } ?? [] }
    return [targetEnd.map { ($0, source) }, sourceEnd.map { ($0, target) }].compactMap { $0 }.compactMap {
      end, entity in
      change(of: end).map { "\(entity).\(end.name): \($0)" }
    }
  }
}

extension Diagram.End {
  /// The number of objects, in words.
  var words: String {
    switch (minimum, maximum) {
    case (0, 0): "any number"
    case (let least, 0): "at least \(least)"
    case (0, 1): "0 or 1"
    case (let least, let most) where least == most: "exactly \(most)"
    case (let least, let most): "\(least) to \(most)"
    }
  }
}
