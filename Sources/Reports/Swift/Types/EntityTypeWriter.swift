import ModelDescription

/// Writes the struct of an entity or a composite type.
struct EntityTypeWriter {
  let hierarchy: EntityHierarchy
  let names: EntityTypeNames
  let origin: String

  /// The key of userInfo entries that become documentation comments.
  private static let documentationKey = "documentation"

  func code(of entity: EntityDescription) -> String {
    let type = names.type(ofEntity: entity.name)
    var lines = ["import Foundation", "", "/// The entity \(word(entity.name)) of \(SwiftLiteral.comment(origin))."]
    var remarks: [String] = []
    if entity.isAbstract { remarks.append("It is abstract: only its sub-entities have objects.") }
    if let parent = entity.superentityName { remarks.append("It inherits from \(word(parent)).") }
    let fetched = entity.fetchedProperties.map { word($0.name) }
    if !fetched.isEmpty { remarks.append("Its fetched properties are left out: \(fetched.joined(separator: ", ")).") }
    lines += comment(remarks, entity.userInfo)
    lines += ["struct \(type): Hashable, Sendable {"]
    lines += identifier(of: entity)
    var properties = SwiftNames(taken: ["objectID", "hashValue"])
    for (attribute, _) in attributes(of: entity) { lines += property(attribute, &properties) }
    for relationship in relationships(of: entity) { lines += property(relationship, &properties) }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  func code(of composite: CompositeDescription) -> String {
    let type = names.type(ofComposite: composite.name) ?? ""
    let origin = SwiftLiteral.comment(origin)
    var lines = ["import Foundation", "", "/// The composite type \(word(composite.name)) of \(origin)."]
    lines += ["struct \(type): Hashable, Sendable {"]
    var properties = SwiftNames(taken: ["hashValue"])
    for (position, element) in composite.elements.enumerated() {
      lines += property(element, &properties).dropFirst(position == 0 ? 1 : 0)
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// Objects of a family are in one table, so that they have one kind of identifier.
  private func identifier(of entity: EntityDescription) -> [String] {
    let root = hierarchy.rootName(of: entity.name)
    let declaration =
      root == entity.name
      ? [
        "  /// What identifies an object in a store.", "  struct ObjectID: Hashable, Sendable {",
        "    /// The primary key, `Z_PK`.", "    var key: Int64", "  }",
      ]
      : [
        "  /// What identifies an object in a store.",
        "  typealias ObjectID = \(names.identifier(ofEntity: root))",
      ]
    return declaration + ["", "  /// The object's identifier, nil before it is saved.", "  var objectID: ObjectID?"]
  }

  /// All attributes, those of the topmost ancestor first; where one is declared anew the nearest declaration counts.
  private func attributes(of entity: EntityDescription) -> [(AttributeDescription, String)] {
    let all = hierarchy.allAttributes(of: entity.name)
    var seen: Set<String> = []
    return hierarchy.lineage(of: entity.name).reversed().flatMap(\.attributes).compactMap { attribute in
      guard seen.insert(attribute.name).inserted, let declared = all[attribute.name] else { return nil }
      return (declared.property, declared.entity.name)
    }
  }

  private func relationships(of entity: EntityDescription) -> [RelationshipDescription] {
    let all = hierarchy.allRelationships(of: entity.name)
    var seen: Set<String> = []
    return hierarchy.lineage(of: entity.name).reversed().flatMap(\.relationships).compactMap { relationship in
      seen.insert(relationship.name).inserted ? all[relationship.name]?.property : nil
    }
  }

  private func property(_ attribute: AttributeDescription, _ properties: inout SwiftNames) -> [String] {
    let name = properties.propertyName(for: attribute.name)
    let code = StructAttribute(attribute: attribute, composite: names.type(ofComposite: attribute.compositeName))
    return lines(name, declared: attribute.name, code.facts, attribute.userInfo, code.typeAndDefault)
  }

  private func property(_ relationship: RelationshipDescription, _ properties: inout SwiftNames) -> [String] {
    let name = properties.propertyName(for: relationship.name)
    let identifier = names.identifier(ofEntity: relationship.destinationEntityName)
    let code = StructRelationship(relationship: relationship, identifier: identifier)
    return lines(name, declared: relationship.name, code.facts, relationship.userInfo, code.typeAndDefault)
  }

  private func lines(
    _ name: String, declared: String, _ facts: [String], _ userInfo: [String: String], _ typeAndDefault: String
  ) -> [String] {
    let isRenamed = name != declared && name != "`\(declared)`"
    let facts = facts + (isRenamed ? ["named \(word(declared)) in the model"] : [])
    let summary = ["", "  /// \(facts.joined(separator: ", "))."]
    return summary + comment([], userInfo).map { "  \($0)" } + ["  var \(name): \(typeAndDefault)"]
  }

  /// What follows the first line of a documentation comment.
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
