public import ModelDescription

/// Two versions of a model, the newer made of the older by random edits of every kind, inferable or not.
public struct RandomStep {
  /// The older version.
  public let source: ManagedObjectModel
  /// The newer version.
  public let destination: ManagedObjectModel

  /// Makes the versions of a seed; both have a sound inheritance and inverses that name each other.
  public init(seed: UInt64) {
    var edits = ModelEditing(random: SeededGenerator(seed: seed))
    source = edits.model()
    var model = source
    for _ in 0..<Int.random(in: 1...4, using: &edits.random) {
      var edited = model
      edits.edit(&edited)
      edited.settleInverses()
      if !edited.hasOverrides, (try? EntityHierarchy(edited)) != nil { model = edited }
    }
    destination = model
  }
}

/// Makes models and edits them at random.
private struct ModelEditing {
  var random: SeededGenerator

  private static let types: [AttributeType] = [
    .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .string, .boolean, .date, .uuid, .uri,
    .binary, .transformable,
  ]
  private static let names = ["note", "size", "kind", "title", "day", "caf\u{E9}", "memo", "flag"]

  mutating func chance(_ share: Int) -> Bool { Int.random(in: 0..<share, using: &random) == 0 }

  mutating func pick<Values: Collection>(_ values: Values) -> Values.Element? { values.randomElement(using: &random) }

  mutating func model() -> ManagedObjectModel {
    var model = ManagedObjectModel(entities: [])
    for name in ["Alpha", "Beta", "Gamma", "Delta", "Echo"].prefix(Int.random(in: 2...5, using: &random)) {
      var entity = EntityDescription(name: name, isAbstract: chance(6))
      if chance(3) { entity.superentityName = pick(model.entities)?.name }
      for attribute in Self.names.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
        entity.attributes.append(self.attribute("\(name.lowercased())_\(attribute)"))
      }
      if chance(5), let unique = entity.attributes.first(where: { !$0.isTransient && $0.derivation == nil }) {
        entity.uniquenessConstraints = [[unique.name]]
      }
      model.entities.append(entity)
    }
    for number in 1...3 { addRelationship(to: &model, named: "link\(number)") }
    model.settleInverses()
    return model
  }

  private mutating func attribute(_ name: String) -> AttributeDescription {
    let type = pick(Self.types) ?? .string
    var attribute = AttributeDescription(name: name, type: type, isOptional: !chance(4), isTransient: chance(10))
    if type == .string, chance(3) { attribute.defaultValue = .string("none") }
    if type == .integer32, chance(2) { attribute.defaultValue = .integer(7) }
    attribute.allowsExternalBinaryDataStorage = type == .binary && chance(2)
    if type == .string, chance(12) {
      attribute.derivation = Derivation(expression: "now()")
      (attribute.type, attribute.defaultValue, attribute.isTransient) = (.date, nil, false)
    }
    if chance(15) {
      attribute.type = .composite
      (attribute.defaultValue, attribute.derivation, attribute.isTransient) = (nil, nil, false)
      attribute.elements = [
        AttributeDescription(name: "city", type: .string, isOptional: true),
        AttributeDescription(name: "zip", type: .integer32, isOptional: true),
      ]
    }
    return attribute
  }

  private mutating func addRelationship(to model: inout ManagedObjectModel, named name: String) {
    guard let near = pick(model.entities.indices), let far = pick(model.entities.indices) else { return }
    let (one, other) = (model.entities[near].name, model.entities[far].name)
    let back = chance(4) ? nil : name + "Back"
    model.entities[near].relationships.append(relationship(name, other, back))
    if let back { model.entities[far].relationships.append(relationship(back, one, name)) }
  }

  private mutating func relationship(_ name: String, _ destination: String, _ inverse: String?)
    -> RelationshipDescription
  {
    let isToOne = chance(2)
    return RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination }, isOptional: !chance(4), maxCount: isToOne ? 1 : 0,
      isOrdered: !isToOne && chance(3))
  }

  mutating func edit(_ model: inout ManagedObjectModel) {
    guard let position = pick(model.entities.indices) else { return }
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: editAttributes(&model, at: position)
    case 4...6: editRelationships(&model, at: position)
    default: editEntity(&model, at: position)
    }
  }

  private mutating func editAttributes(_ model: inout ManagedObjectModel, at position: Int) {
    let fresh = "\(pick(Self.names) ?? "a")\(Int.random(in: 0..<20, using: &random))"
    guard let index = pick(model.entities[position].attributes.indices), !chance(5) else {
      return model.entities[position].attributes.append(attribute(fresh))
    }
    let old = model.entities[position].attributes[index]
    var new = old
    switch Int.random(in: 0..<18, using: &random) {
    case 0: return model.removeAttribute(old.name, at: position)
    case 1: (new.name, new.renamingIdentifier) = (fresh, old.canonicalName)
    case 2: new.name = fresh
    case 3: new.renamingIdentifier = pick(model.entities[position].attributes)?.canonicalName
    case 4: new = attribute(old.name)
    case 5: new.isOptional.toggle()
    case 6:
      new.isOptional.toggle()
      if new.type == .string { new.defaultValue = .string("other") }
    case 7: if new.type == .string { new.defaultValue = .string("changed") }
    case 8: if new.derivation == nil, new.type != .composite { new.isTransient.toggle() }
    case 9: if new.type == .binary { new.allowsExternalBinaryDataStorage.toggle() }
    case 10: new.versionHashModifier = fresh
    case 11: new.isIndexed.toggle()
    case 12: new.validation.maximum = .integer(3)
    case 13: new.preservesValueInHistoryOnDeletion.toggle()
    case 14: new.name = old.name.contains("\u{E9}") ? "alpha_cafe\u{301}" : "alpha_caf\u{E9}"
    case 15:
      if new.type == .composite { new.elements = [AttributeDescription(name: "city", type: .date, isOptional: true)] }
    case 16:
      // The property moves to the parent, or to another entity of the hierarchy.
      let parent = model.entities[position].superentityName
      guard let target = parent.flatMap(model.position) ?? model.subentity(of: model.entities[position].name) else {
        return
      }
      model.removeAttribute(old.name, at: position)
      return model.entities[target].attributes.append(old)
    default:
      // A relationship takes the name.
      guard let target = pick(model.entities)?.name else { return }
      model.removeAttribute(old.name, at: position)
      return model.entities[position].relationships.append(relationship(old.name, target, nil))
    }
    model.entities[position].attributes[index] = new
    if new.name != old.name || new.isTransient || new.derivation != nil {
      model.entities[position].uniquenessConstraints.removeAll { $0.contains(old.name) }
    }
  }

  private mutating func editRelationships(_ model: inout ManagedObjectModel, at position: Int) {
    let fresh = "link\(Int.random(in: 10..<40, using: &random))"
    guard let index = pick(model.entities[position].relationships.indices), !chance(5) else {
      return addRelationship(to: &model, named: fresh)
    }
    let old = model.entities[position].relationships[index]
    var new = old
    switch Int.random(in: 0..<12, using: &random) {
    case 0:
      model.entities[position].relationships.remove(at: index)
      return
    case 1: (new.name, new.renamingIdentifier) = (fresh, old.canonicalName)
    case 2: new.name = fresh
    case 3: new.renamingIdentifier = pick(model.entities[position].relationships)?.canonicalName
    case 4, 5:
      new.maxCount = old.isToMany ? 1 : 0
      new.isOrdered = false
    case 6: new.isOrdered = old.isToMany && !old.isOrdered
    case 7: new.isOptional.toggle()
    case 8: new.destinationEntityName = pick(model.entities)?.name
    case 9: new.inverseName = nil
    case 10: if old.isToMany { new.minCount = old.minCount == 0 ? 2 : 0 }
    default: new.deleteRule = .cascade
    }
    if new.name != old.name, let inverse = old.inverseName,
      let far = old.destinationEntityName.flatMap(model.position),
      let back = model.entities[far].relationships.firstIndex(where: { $0.name == inverse })
    {
      model.entities[far].relationships[back].inverseName = new.name
    }
    model.entities[position].relationships[index] = new
  }

  private mutating func editEntity(_ model: inout ManagedObjectModel, at position: Int) {
    let entity = model.entities[position]
    let fresh = "\(pick(["A", "M", "Z"]) ?? "A")\(Int.random(in: 0..<30, using: &random))"
    switch Int.random(in: 0..<14, using: &random) {
    case 0:
      model.entities.append(EntityDescription(name: fresh, attributes: [attribute("\(fresh.lowercased())_a")]))
    case 1: model.removeEntity(entity.name)
    case 2: model.renameEntity(entity.name, to: fresh, keepsIdentity: true)
    case 3: model.renameEntity(entity.name, to: fresh, keepsIdentity: false)
    case 4: model.entities[position].renamingIdentifier = pick(model.entities)?.canonicalName
    case 5, 6: model.entities[position].superentityName = pick(model.entities)?.name
    case 7: model.entities[position].superentityName = nil
    case 8, 9: model.entities[position].isAbstract.toggle()
    case 10:
      let names = entity.attributes.filter { !$0.isTransient && $0.derivation == nil && $0.type != .composite }
      model.entities[position].uniquenessConstraints =
        entity.uniquenessConstraints.isEmpty ? pick(names).map { [[$0.name]] } ?? [] : []
    case 11: model.entities[position].versionHashModifier = fresh
    case 12:
      guard let property = pick(entity.attributes.filter { !$0.isTransient && $0.type != .composite }) else { return }
      model.entities[position].fetchIndexes = [
        FetchIndexDescription(name: "by\(fresh)", elements: [.init(subject: .property(property.name))])
      ]
    default:
      model.entities.append(
        EntityDescription(name: fresh, superentityName: entity.superentityName, isAbstract: chance(2)))
      model.entities[position].superentityName = fresh
    }
  }
}

extension ManagedObjectModel {
  fileprivate func position(_ name: String) -> Int? { entities.firstIndex { $0.name == name } }

  fileprivate func subentity(of name: String) -> Int? { entities.firstIndex { $0.superentityName == name } }

  fileprivate mutating func removeAttribute(_ name: String, at position: Int) {
    entities[position].attributes.removeAll { $0.name == name }
    entities[position].uniquenessConstraints.removeAll { $0.contains(name) }
    entities[position].fetchIndexes.removeAll { index in
      index.elements.contains { $0.subject == .property(name) }
    }
  }

  fileprivate mutating func removeEntity(_ name: String) {
    guard entities.count > 1, let gone = entities.first(where: { $0.name == name }) else { return }
    entities.removeAll { $0.name == name }
    for position in entities.indices {
      if entities[position].superentityName == name { entities[position].superentityName = gone.superentityName }
      entities[position].relationships.removeAll { $0.destinationEntityName == name }
    }
  }

  fileprivate mutating func renameEntity(_ name: String, to fresh: String, keepsIdentity: Bool) {
    guard position(fresh) == nil, let position = position(name) else { return }
    entities[position].renamingIdentifier = keepsIdentity ? entities[position].canonicalName : nil
    entities[position].name = fresh
    for other in entities.indices {
      if entities[other].superentityName == name { entities[other].superentityName = fresh }
      for link in entities[other].relationships.indices
      where entities[other].relationships[link].destinationEntityName == name {
        entities[other].relationships[link].destinationEntityName = fresh
      }
    }
  }

  /// Removes every inverse that does not name its relationship in return.
  fileprivate mutating func settleInverses() {
    for entity in entities.indices {
      for link in entities[entity].relationships.indices {
        let relationship = entities[entity].relationships[link]
        let other = entities.first { $0.name == relationship.destinationEntityName }
        let back = other?.relationships.first { $0.name == relationship.inverseName }
        let isMutual =
          back?.inverseName == relationship.name && back?.destinationEntityName == entities[entity].name
        entities[entity].relationships[link].inverseEntityName = isMutual ? relationship.destinationEntityName : nil
        if !isMutual { entities[entity].relationships[link].inverseName = nil }
      }
    }
    for entity in entities.indices {
      for link in entities[entity].relationships.indices where entities[entity].relationships[link].isToMany {
        if entities[entity].relationships[link].inverseName == nil {
          entities[entity].relationships[link].isOrdered = false
        }
      }
    }
  }

  /// True when an entity has a property of the same name as one above it.
  fileprivate var hasOverrides: Bool {
    entities.contains { entity in
      var names = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
      if names.count < entity.attributes.count + entity.relationships.count { return true }
      var (parent, depth) = (entity.superentityName, 0)
      while let above = parent.flatMap({ name in entities.first { $0.name == name } }), depth < entities.count {
        for name in above.attributes.map(\.name) + above.relationships.map(\.name)
        where !names.insert(name).inserted { return true }
        (parent, depth) = (above.superentityName, depth + 1)
      }
      return false
    }
  }
}
