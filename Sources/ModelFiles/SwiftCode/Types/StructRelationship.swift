import ModelDescription

/// A relationship as a property of a struct.
struct StructRelationship {
  let relationship: RelationshipDescription
  /// The type that identifies the objects at the other end.
  let identifier: String
  /// The struct of those objects; nil in a plain struct, and where the model does not have their entity.
  let storedType: String?
  /// True in a struct that is read from a store and saved there.
  let isStored: Bool

  /// What its documentation comment says.
  var facts: [String] {
    let destination = relationship.destinationEntityName ?? "an unknown entity"
    var facts = ["\(relationship.isToMany ? "To many" : "To one") \(destination)"]
    if relationship.isToMany, relationship.isOrdered { facts.append("ordered") }
    if relationship.isOptional { facts.append("optional") }
    if relationship.isToMany, relationship.minCount > 0 { facts.append("at least \(relationship.minCount)") }
    if relationship.maxCount > 1, relationship.maxCount != .max { facts.append("at most \(relationship.maxCount)") }
    facts.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
    facts.append("delete rule \(relationship.deleteRule.name)")
    if relationship.isTransient { facts.append("not stored") }
    return facts.map { SwiftLiteral.comment($0) }
  }

  /// What stands behind the colon.
  var typeAndDefault: String {
    if let storedType {
      if relationship.isToMany { return "ObjectLinks<\(storedType)> = ObjectLinks()" }
      return relationship.isOptional || !isKept ? "ObjectID<\(storedType)>?" : "ObjectID<\(storedType)>"
    }
    if isStored, !relationship.isToMany { return "Int64?" }
    guard relationship.isToMany else { return relationship.isOptional ? "\(identifier)?" : identifier }
    return relationship.isOrdered ? "[\(identifier)] = []" : "Set<\(identifier)> = []"
  }

  /// True when a store keeps it.
  var isKept: Bool { storedType != nil && !relationship.isTransient }
}
