import ModelDescription

extension VersionEdits {
  mutating func addEntity(to model: inout ManagedObjectModel) {
    let former = ["Cat", "Dog", "Toy", "Keeper", "Place"].filter { name in
      !model.entities.contains { $0.name == name || $0.canonicalName == name }
    }
    let name = Bool.random(using: &random) ? former.first ?? newName("N") : newName("N")
    guard model.entity(name) == nil else { return }
    let parent = Bool.random(using: &random) ? pick(model.entities)?.name : nil
    model.entities.append(
      EntityDescription(
        name: name, superentityName: parent,
        attributes: [AttributeDescription(name: newName("n"), type: .string, isOptional: true)]))
  }

  /// Removes an entity without sub-entities, and every relationship that leads to it.
  mutating func removeEntity(from model: inout ManagedObjectModel) {
    let leaves = model.entities.filter { entity in !model.entities.contains { $0.superentityName == entity.name } }
    guard model.entities.count > 3, let gone = pick(leaves) else { return }
    model.entities.removeAll { $0.name == gone.name }
    for position in model.entities.indices {
      model.entities[position].relationships.removeAll { $0.destinationEntityName == gone.name }
    }
    model.repair()
  }

  mutating func renameEntity(of model: inout ManagedObjectModel) {
    guard let entity = pick(model.entities) else { return }
    // The first letter decides the entity's number.
    let name = newName(pick(["A", "M", "Z"]) ?? "A")
    guard model.entity(name) == nil else { return }
    model.rename(entity.name, to: name)
  }

  /// Puts a new abstract parent over a root.
  mutating func addParent(to model: inout ManagedObjectModel) {
    guard let root = pick(model.entities.filter { $0.superentityName == nil }),
      let position = model.position(root.name)
    else { return }
    let name = newName("P")
    guard model.entity(name) == nil else { return }
    var parent = EntityDescription(name: name, isAbstract: Bool.random(using: &random))
    let attributes = model.entities[position].attributes
    if Bool.random(using: &random), let moved = pick(attributes), moved.derivation == nil,
      !root.uniquenessConstraints.joined().contains(moved.name)
    {
      parent.attributes.append(moved)
      model.entities[position].attributes.removeAll { $0.name == moved.name }
    }
    model.entities[position].superentityName = name
    model.entities.append(parent)
  }

  /// Makes a sub-entity a root of its own, which keeps the inherited attributes.
  mutating func moveOut(of model: inout ManagedObjectModel) {
    guard let entity = pick(model.entities.filter { $0.superentityName != nil }),
      let position = model.position(entity.name)
    else { return }
    for attribute in model.inheritedAttributes(of: entity.name) where attribute.derivation == nil {
      model.entities[position].attributes.append(attribute)
    }
    model.entities[position].superentityName = nil
    model.repair()
  }

  /// Moves an entity under another of its hierarchy.
  mutating func moveUnder(in model: inout ManagedObjectModel) {
    guard let entity = pick(model.entities.filter { $0.superentityName != nil }),
      let position = model.position(entity.name),
      let other = pick(
        model.entities.filter { $0.name != entity.name && model.root(of: $0.name) == model.root(of: entity.name) })
    else { return }
    var name: String? = other.name
    while let current = name {
      if current == entity.name { return }
      name = model.entity(current)?.superentityName
    }
    let former = model.entities[position].superentityName
    model.entities[position].superentityName = other.name
    if model.hasOverrides { model.entities[position].superentityName = former }
    model.repair()
  }

  /// Exchanges the names of two entities or of two attributes.
  mutating func swapNames(in model: inout ManagedObjectModel) {
    if Bool.random(using: &random) {
      guard let first = pick(model.entities), let second = pick(model.entities), first.name != second.name else {
        return
      }
      model.rename(first.name, to: "Aside")
      model.rename(second.name, to: first.name)
      model.rename("Aside", to: second.name)
    } else {
      guard let position = pick(Array(model.entities.indices)) else { return }
      let choices = model.entities[position].attributes.indices.filter {
        let attribute = model.entities[position].attributes[$0]
        return attribute.derivation == nil
          && !model.entities[position].uniquenessConstraints.joined().contains(attribute.name)
      }
      guard let first = pick(choices), let second = pick(choices), first != second else { return }
      let (one, two) = (model.entities[position].attributes[first], model.entities[position].attributes[second])
      model.entities[position].attributes[first].name = two.name
      model.entities[position].attributes[first].renamingIdentifier = one.canonicalName
      model.entities[position].attributes[second].name = one.name
      model.entities[position].attributes[second].renamingIdentifier = two.canonicalName
    }
  }
}
