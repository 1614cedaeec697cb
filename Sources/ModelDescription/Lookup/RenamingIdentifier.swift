/// The meaning of a renaming identifier.
package enum RenamingIdentifier {
  /// The identifier; nil if it is empty or the element's own name, because it then does not have an effect.
  package static func meaning(of identifier: String?, of name: String?) -> String? {
    identifier.flatMap { $0.isEmpty || $0 == name ? nil : $0 }
  }
}

extension ManagedObjectModel {
  /// The model without renaming identifiers that do not have an effect.
  package var withoutIdleIdentifiers: ManagedObjectModel {
    var model = self
    for entity in model.entities.indices { model.entities[entity].dropIdleIdentifiers() }
    for composite in model.composites.indices {
      for element in model.composites[composite].elements.indices {
        model.composites[composite].elements[element].dropIdleIdentifier()
      }
    }
    return model
  }
}

extension EntityDescription {
  fileprivate mutating func dropIdleIdentifiers() {
    renamingIdentifier = RenamingIdentifier.meaning(of: renamingIdentifier, of: name)
    for position in attributes.indices { attributes[position].dropIdleIdentifier() }
    for position in relationships.indices {
      relationships[position].renamingIdentifier = RenamingIdentifier.meaning(
        of: relationships[position].renamingIdentifier, of: relationships[position].name)
    }
  }
}

extension AttributeDescription {
  fileprivate mutating func dropIdleIdentifier() {
    renamingIdentifier = RenamingIdentifier.meaning(of: renamingIdentifier, of: name)
  }
}
