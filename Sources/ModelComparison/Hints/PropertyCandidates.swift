import ModelDescription

/// The properties of one entity that go or come, with what tells whether two of them are one.
struct PropertyCandidates {
  /// The properties that keep values; what is computed keeps none.
  private(set) var candidates: [RenamedProperties.Candidate] = []
  /// True where both the attributes and the relationships stand in the order of their names, as Xcode writes them, and
  /// there are enough of them to say so.
  let isSorted: Bool

  /// Takes the properties of an entity.
  ///
  /// - Parameters:
  ///   - entity: the entity.
  ///   - changed: the names of those that go or come.
  ///   - staying: the name in the destination of one that stays, nil for another.
  ///   - linked: the entity of the destination that one is.
  init(
    of entity: EntityDescription, changed: Set<String>, staying: (String) -> String?, linked: (String) -> String?
  ) {
    let names = (entity.attributes.map(\.name), entity.relationships.map(\.name))
    isSorted = Self.areSorted(names.0) && Self.areSorted(names.1) && max(names.0.count, names.1.count) > 1
    let attributeNeighbours = Self.neighbours(of: names.0, staying)
    for (attribute, neighbours) in zip(entity.attributes, attributeNeighbours)
    where changed.contains(attribute.name) && attribute.derivation == nil {
      let settings = [
        "\(attribute.isOptional)", "\(attribute.isTransient)", attribute.defaultValue.map { "\($0)" } ?? "",
        "\(attribute.validation)", attribute.valueTransformerName ?? "", attribute.valueClassName ?? "",
      ]
      candidates.append(
        RenamedProperties.Candidate(
          name: attribute.name, shape: attribute.type.name, settings: settings, neighbours: neighbours))
    }
    let relationshipNeighbours = Self.neighbours(of: names.1, staying)
    for (relationship, neighbours) in zip(entity.relationships, relationshipNeighbours)
    where changed.contains(relationship.name) {
      guard let destination = relationship.destinationEntityName.flatMap(linked) else { continue }
      let settings = [
        "\(relationship.isOptional)", "\(relationship.deleteRule)", relationship.inverseName ?? "",
        "\(relationship.isOrdered)",
      ]
      candidates.append(
        RenamedProperties.Candidate(
          name: relationship.name, shape: "\(relationship.isToMany ? "to-many" : "to-one") \(destination)",
          settings: settings, neighbours: neighbours))
    }
  }

  private static func areSorted(_ names: [String]) -> Bool {
    zip(names, names.dropFirst()).allSatisfy { $0.lowercased() <= $1.lowercased() }
  }

  /// What stays before and after each name.
  private static func neighbours(of names: [String], _ staying: (String) -> String?) -> [[String?]] {
    let kept = names.map(staying)
    var before: [String?] = []
    var last: String?
    for name in kept {
      before.append(last)
      last = name ?? last
    }
    var after: [String?] = []
    last = nil
    for name in kept.reversed() {
      after.append(last)
      last = name ?? last
    }
    return zip(before, after.reversed()).map { [$0, $1] }
  }
}
