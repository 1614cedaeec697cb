/// The address of an element of a model, for findings, differences and allowed losses.
public enum ModelElement: Hashable, Sendable {
  case model
  case entity(String)
  case property(entity: String, name: String)
  case fetchIndex(entity: String, name: String)
  /// A compound index of the older format, by its position in the entity.
  case compoundIndex(entity: String, position: Int)
  /// A uniqueness constraint, by its position in the entity.
  case uniquenessConstraint(entity: String, position: Int)
  case composite(String)
  case configuration(String)
  case fetchRequest(String)

  /// The entity that declares it; nil for an element that an entity does not declare.
  package var holder: String? {
    switch self {
    case .property(let entity, _), .fetchIndex(let entity, _), .compoundIndex(let entity, _),
      .uniquenessConstraint(let entity, _):
      entity
    case .model, .entity, .composite, .configuration, .fetchRequest: nil
    }
  }
}

extension ModelElement: CustomStringConvertible {
  /// The address in the notation of messages, such as `Order.note`.
  public var description: String {
    switch self {
    case .model: "model"
    case .entity(let name): name
    case .property(let entity, let name): "\(entity).\(name)"
    case .fetchIndex(let entity, let name): "\(entity) index \(name)"
    case .compoundIndex(let entity, let position): "\(entity) compound index \(position + 1)"
    case .uniquenessConstraint(let entity, let position): "\(entity) uniqueness constraint \(position + 1)"
    case .composite(let name): "composite \(name)"
    case .configuration(let name): "configuration \(name)"
    case .fetchRequest(let name): "fetch request \(name)"
    }
  }
}

/// The origin of an entity, attribute or relationship of a version in the version before.
public enum ElementOrigin: Hashable, Sendable {
  /// It is new, because the version before does not have it.
  case added
  /// It continues the element with this canonical name: the renaming identifier in the version before, or the name.
  case continues(canonicalName: String)
}

extension EntityHierarchy {
  /// True for `Entity`, `Entity.property` and `Entity.attribute.element`, including inherited properties.
  package func hasElement(named name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let entity = parts.first, self.entity(named: entity) != nil else { return false }
    guard parts.count > 1 else { return true }
    if parts.count == 2, allRelationships(of: entity)[parts[1]] != nil { return true }
    let attribute = allAttributes(of: entity)[parts[1]]?.property
    return attribute.map { parts.count == 2 || $0.leaves.contains { $0.path == Array(parts.dropFirst()) } } ?? false
  }

  /// The candidates for a misspelt name: the properties and elements of its entity if the entity exists, or the entities,
  /// with the property of the name if it has one.
  package func elementNames(like name: String) -> [String] {
    let entity = String(name.prefix { $0 != "." })
    guard name != entity else { return model.entities.map(\.name) }
    guard self.entity(named: entity) != nil else {
      let property = name.dropFirst(entity.count)
      return model.entities.map { $0.name + property }.filter(hasElement)
    }
    let attributes = allAttributes(of: entity).values.map(\.property)
    let elements = attributes.filter { $0.type == .composite }.flatMap(\.leaves).map { $0.path.joined(separator: ".") }
    let properties = attributes.map(\.name) + elements + Array(allRelationships(of: entity).keys)
    return properties.sorted().map { "\(entity).\($0)" }
  }

  /// The property at the entity that declares it, without the path into a composite attribute; any other element
  /// unchanged.
  package func declaration(of element: ModelElement) -> ModelElement {
    guard case .property(let entity, let path) = element else { return element }
    let name = String(path.prefix { $0 != "." })
    let holder = allAttributes(of: entity)[name]?.entity.name ?? allRelationships(of: entity)[name]?.entity.name
    return .property(entity: holder ?? entity, name: name)
  }
}
