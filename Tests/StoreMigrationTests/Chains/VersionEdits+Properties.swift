import ModelDescription

extension VersionEdits {
  mutating func addAttribute(to model: inout ManagedObjectModel) {
    guard let position = pick(Array(model.entities.indices)),
      let name = pick(["name", "age", "colour", "extra", newName("a")]),
      !model.isTaken(name, in: model.entities[position].name),
      let type = pick([AttributeType.integer16, .double, .string, .date, .boolean, .decimal, .uri])
    else { return }
    var attribute = AttributeDescription(name: name, type: type, isOptional: true)
    if type == .integer16 {
      attribute.defaultValue = .integer(7)
      attribute.isOptional = Bool.random(using: &random)
    }
    model.entities[position].attributes.append(attribute)
  }

  mutating func changeAttribute(of model: inout ManagedObjectModel) {
    guard let position = pick(Array(model.entities.indices)),
      let index = pick(Array(model.entities[position].attributes.indices))
    else { return }
    let entity = model.entities[position]
    let old = entity.attributes[index]
    guard old.derivation == nil, !entity.uniquenessConstraints.joined().contains(old.name) else { return }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: model.entities[position].attributes.remove(at: index)
    case 1:
      let name = newName("a")
      guard !model.isTaken(name, in: entity.name) else { return }
      model.entities[position].attributes[index].name = name
      model.entities[position].attributes[index].renamingIdentifier = old.canonicalName
    case 2:
      guard old.type.isNumeric, old.defaultValue == nil else { return }
      model.entities[position].attributes[index].type = old.type == .double ? .float : .integer64
    case 3:
      guard old.type == .string else { return }
      model.entities[position].attributes[index].isOptional.toggle()
      model.entities[position].attributes[index].defaultValue = .string("none")
    case 4:
      guard old.type == .binary else { return }
      model.entities[position].attributes[index].allowsExternalBinaryDataStorage.toggle()
    default: model.entities[position].attributes[index].versionHashModifier = newName("h")
    }
  }

  /// Moves an attribute to the parent, or to a sub-entity.
  mutating func moveAttribute(in model: inout ManagedObjectModel) {
    guard let child = pick(model.entities.filter { $0.superentityName != nil }),
      let lower = model.position(child.name), let upper = child.superentityName.flatMap(model.position)
    else { return }
    let (from, to) = Bool.random(using: &random) ? (lower, upper) : (upper, lower)
    guard let moved = pick(model.entities[from].attributes), moved.derivation == nil,
      !model.entities[from].uniquenessConstraints.joined().contains(moved.name)
    else { return }
    model.entities[from].attributes.removeAll { $0.name == moved.name }
    guard !model.isTaken(moved.name, in: model.entities[to].name) else {
      model.entities[from].attributes.append(moved)
      return
    }
    model.entities[to].attributes.append(moved)
  }

  mutating func addRelationship(to model: inout ManagedObjectModel) {
    guard let near = pick(Array(model.entities.indices)), let far = pick(Array(model.entities.indices)) else { return }
    let (name, inverse) = (newName("r"), Int.random(in: 0..<4, using: &random) == 0 ? nil : newName("s"))
    var link = RelationshipDescription.link(name, to: model.entities[far].name, inverse: inverse)
    link.maxCount = Int.random(in: 0...1, using: &random)
    link.isOrdered = link.maxCount == 0 && Bool.random(using: &random)
    model.entities[near].relationships.append(link)
    guard let inverse else { return }
    var back = RelationshipDescription.link(inverse, to: model.entities[near].name, inverse: name)
    back.maxCount = Int.random(in: 0...1, using: &random)
    back.isOrdered = back.maxCount == 0 && Bool.random(using: &random)
    model.entities[far].relationships.append(back)
  }

  mutating func removeRelationship(from model: inout ManagedObjectModel) {
    guard let (position, index) = pickRelationship(of: model) else { return }
    model.entities[position].relationships.remove(at: index)
    model.repair()
  }

  mutating func renameRelationship(of model: inout ManagedObjectModel) {
    guard let (position, index) = pickRelationship(of: model) else { return }
    let old = model.entities[position].relationships[index]
    let name = newName(pick(["b", "r", "y"]) ?? "r")
    guard !model.isTaken(name, in: model.entities[position].name) else { return }
    guard
      !model.entities.contains(where: {
        $0.attributes.contains { $0.derivation?.expression.hasPrefix(old.name + ".") == true }
      })
    else { return }
    model.entities[position].relationships[index].name = name
    model.entities[position].relationships[index].renamingIdentifier = old.canonicalName
    model.retarget(inverse: old.name, of: model.entities[position].name, to: name)
  }

  mutating func toggleOrder(of model: inout ManagedObjectModel) {
    guard let (position, index) = pickRelationship(of: model),
      model.entities[position].relationships[index].isToMany
    else { return }
    model.entities[position].relationships[index].isOrdered.toggle()
  }

  /// To-one becomes to-many more often than back, which rows often forbid.
  mutating func toggleCount(of model: inout ManagedObjectModel) {
    guard let (position, index) = pickRelationship(of: model) else { return }
    let old = model.entities[position].relationships[index]
    guard
      !model.entities[position].attributes.contains(where: {
        $0.derivation?.expression.hasPrefix(old.name + ".") == true
      })
    else { return }
    if old.maxCount == 1 {
      model.entities[position].relationships[index].maxCount = 0
    } else if Int.random(in: 0..<3, using: &random) == 0 {
      model.entities[position].relationships[index].maxCount = 1
      model.entities[position].relationships[index].isOrdered = false
    }
  }

  /// Removes the inverse, or adds an inverse to a relationship without one.
  mutating func changeInverse(in model: inout ManagedObjectModel) {
    guard let (position, index) = pickRelationship(of: model) else { return }
    let old = model.entities[position].relationships[index]
    let owner = model.entities[position].name
    guard let destination = old.destinationEntityName.flatMap(model.position) else { return }
    if let inverse = old.inverseName {
      guard !(inverse == old.name && old.destinationEntityName == owner) else { return }
      model.entities[position].relationships[index].inverseName = nil
      model.entities[position].relationships[index].inverseEntityName = nil
      for entity in model.entities.indices {
        model.entities[entity].relationships.removeAll {
          $0.name == inverse && $0.inverseName == old.name && $0.destinationEntityName == owner
        }
      }
      model.repair()
    } else {
      let name = newName("i")
      model.entities[position].relationships[index].inverseName = name
      model.entities[position].relationships[index].inverseEntityName = old.destinationEntityName
      var back = RelationshipDescription.link(name, to: owner, inverse: old.name)
      back.maxCount = old.isToMany && Bool.random(using: &random) ? 1 : 0
      back.isOrdered = back.maxCount == 0 && Bool.random(using: &random)
      model.entities[destination].relationships.append(back)
    }
  }

  private mutating func pickRelationship(of model: ManagedObjectModel) -> (Int, Int)? {
    let owners = model.entities.indices.filter { !model.entities[$0].relationships.isEmpty }
    guard let position = pick(owners), let index = pick(Array(model.entities[position].relationships.indices)) else {
      return nil
    }
    return (position, index)
  }
}
