import ModelDescription

/// Writes the struct of an entity or a composite type.
struct EntityTypeWriter {
  let hierarchy: EntityHierarchy
  let names: EntityTypeNames
  let origin: String
  /// True for structs that are read from a store and saved there.
  let isStored: Bool

  /// The key of userInfo entries that become documentation comments.
  private static let documentationKey = "documentation"

  func types(of model: ManagedObjectModel) -> [(name: String, code: String)] {
    model.entities.map { (names.type(ofEntity: $0.name), code(of: $0)) }
      + names.distinctComposites.map { (names.type(ofComposite: $0.name) ?? "", code(of: $0)) }
  }

  private func code(of entity: EntityDescription) -> String {
    let type = names.type(ofEntity: entity.name)
    var lines = ["/// The entity \(word(entity.name)) of \(SwiftLiteral.comment(origin))."]
    var remarks: [String] = []
    if entity.isAbstract { remarks.append("It is abstract: only its sub-entities have objects.") }
    if let parent = entity.superentityName { remarks.append("It inherits from \(word(parent)).") }
    let fetched = entity.fetchedProperties.map { word($0.name) }
    if !fetched.isEmpty { remarks.append("Its fetched properties are left out: \(fetched.joined(separator: ", ")).") }
    lines += comment(remarks, entity.userInfo)
    lines += ["struct \(type): Hashable, Sendable {"]
    lines += isStored ? storedIdentifier(of: type) : identifier(of: entity)
    let (attributes, relationships) = properties(of: entity)
    for property in attributes { lines += self.lines(property.name, property.attribute) }
    for property in relationships { lines += self.lines(property.name, property.relationship) }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func code(of composite: CompositeDescription) -> String {
    let type = names.type(ofComposite: composite.name) ?? ""
    let origin = SwiftLiteral.comment(origin)
    var lines = ["/// The composite type \(word(composite.name)) of \(origin)."]
    lines += ["struct \(type): Hashable, Sendable {"]
    for (position, property) in properties(of: composite).enumerated() {
      lines += self.lines(property.name, property.attribute).dropFirst(position == 0 ? 1 : 0)
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The properties of an entity with the names that they have in Swift.
  func properties(
    of entity: EntityDescription
  ) -> (
    attributes: [(name: String, attribute: AttributeDescription)],
    relationships: [(name: String, relationship: RelationshipDescription)]
  ) {
    var names = SwiftNames(taken: Set(["objectID", "hashValue"]).union(isStored ? StoredWords.properties : []))
    let attributes = attributes(of: entity).map { (names.propertyName(for: $0.name), $0) }
    return (attributes, relationships(of: entity).map { (names.propertyName(for: $0.name), $0) })
  }

  /// The elements of a composite type with the names that they have in Swift.
  func properties(of composite: CompositeDescription) -> [(name: String, attribute: AttributeDescription)] {
    var names = SwiftNames(taken: Set(["hashValue"]).union(isStored ? StoredWords.properties : []))
    return composite.elements.map { (names.propertyName(for: $0.name), $0) }
  }

  private func storedIdentifier(of type: String) -> [String] {
    [
      "  /// The identity of the object; nil before it is saved.", "  var objectID: ObjectID<\(type)>?", "",
      "  /// The version of the object when it was read.", "  var version: ObjectVersion?",
    ]
  }

  /// Objects of a family are in a single table, so that they have one kind of identifier.
  private func identifier(of entity: EntityDescription) -> [String] {
    let root = hierarchy.rootName(of: entity.name)
    let declaration =
      root == entity.name
      ? [
        "  /// The identity of an object in a store.", "  struct ObjectID: Hashable, Sendable {",
        "    /// The primary key, `Z_PK`.", "    var key: Int64", "  }",
      ]
      : [
        "  /// The identity of an object in a store.",
        "  typealias ObjectID = \(names.identifier(ofEntity: root))",
      ]
    return declaration + ["", "  /// The object's identifier, nil before it is saved.", "  var objectID: ObjectID?"]
  }

  /// All attributes, those of the topmost ancestor first; of several declarations the nearest is used.
  private func attributes(of entity: EntityDescription) -> [AttributeDescription] {
    let all = hierarchy.allAttributes(of: entity.name)
    var seen: Set<String> = []
    return hierarchy.lineage(of: entity.name).reversed().flatMap(\.attributes).compactMap { attribute in
      seen.insert(attribute.name).inserted ? all[attribute.name]?.property : nil
    }
  }

  private func relationships(of entity: EntityDescription) -> [RelationshipDescription] {
    let all = hierarchy.allRelationships(of: entity.name)
    var seen: Set<String> = []
    return hierarchy.lineage(of: entity.name).reversed().flatMap(\.relationships).compactMap { relationship in
      seen.insert(relationship.name).inserted ? all[relationship.name]?.property : nil
    }
  }

  private func lines(_ name: String, _ attribute: AttributeDescription) -> [String] {
    let code = structAttribute(attribute)
    return lines(name, declared: attribute.name, code.facts, attribute.userInfo, code.typeAndDefault)
  }

  func structAttribute(_ attribute: AttributeDescription) -> StructAttribute {
    StructAttribute(
      attribute: attribute, composite: names.type(ofComposite: attribute.compositeName), isStored: isStored)
  }

  private func lines(_ name: String, _ relationship: RelationshipDescription) -> [String] {
    let code = structRelationship(relationship)
    return lines(name, declared: relationship.name, code.facts, relationship.userInfo, code.typeAndDefault)
  }

  func structRelationship(_ relationship: RelationshipDescription) -> StructRelationship {
    let destination = relationship.destinationEntityName
    return StructRelationship(
      relationship: relationship, identifier: names.identifier(ofEntity: destination),
      storedType: isStored ? names.knownType(ofEntity: destination) : nil, isStored: isStored)
  }

  private func lines(
    _ name: String, declared: String, _ facts: [String], _ userInfo: [String: String], _ typeAndDefault: String
  ) -> [String] {
    let isRenamed = name != declared && name != "`\(declared)`"
    let facts = facts + (isRenamed ? ["named \(word(declared)) in the model"] : [])
    let summary = ["", "  /// \(facts.joined(separator: ", "))."]
    return summary + comment([], userInfo).map { "  \($0)" } + ["  var \(name): \(typeAndDefault)"]
  }

  /// The lines after the first line of a documentation comment.
  private func comment(_ remarks: [String], _ userInfo: [String: String]) -> [String] {
    let documentation = userInfo[Self.documentationKey].map { text in
      text.split(separator: "\n", omittingEmptySubsequences: false).map { SwiftLiteral.comment(String($0)) }
    }
    let paragraphs = [remarks, documentation ?? []].filter { !$0.isEmpty }
    return paragraphs.flatMap { ["///"] + $0.map { $0.isEmpty ? "///" : "/// \($0)" } }
  }

  private func word(_ name: String) -> String { SwiftLiteral.comment(name) }
}

extension SwiftNames {
  /// A name for a property, as the model has it as far as Swift allows.
  fileprivate mutating func propertyName(for name: String) -> String {
    SwiftWords.property(self.name(for: name, .asIs, suffix: "_"))
  }
}
