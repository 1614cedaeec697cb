import Foundation
import ModelDescription

extension CompleteModelText {
  static func line(_ entity: EntityDescription) -> String {
    var parts = ["entity \(entity.name)"]
    if let parent = entity.superentityName { parts.append("inherits from \(parent)") }
    if entity.isAbstract { parts.append("abstract") }
    parts += renaming(entity.renamingIdentifier) + modifier(entity.versionHashModifier)
    return parts.joined(separator: ", ")
  }

  static func line(_ attribute: AttributeDescription) -> String {
    var parts = ["attribute \(attribute.name)", attribute.compositeName ?? attribute.type.name]
    parts.append(attribute.isOptional ? "optional" : "required")
    if attribute.isTransient { parts.append("transient") }
    if let value = attribute.defaultValue { parts.append("default \(words(value))") }
    if let derivation = attribute.derivation { parts.append("derived from \(derivation.expression)") }
    if attribute.allowsExternalBinaryDataStorage { parts.append("external storage") }
    if attribute.preservesValueInHistoryOnDeletion { parts.append("preserved after deletion") }
    parts += renaming(attribute.renamingIdentifier) + modifier(attribute.versionHashModifier)
    return parts.joined(separator: ", ")
  }

  static func line(_ relationship: RelationshipDescription) -> String {
    let number = relationship.isToMany ? (relationship.isOrdered ? "ordered to-many" : "to-many") : "to-one"
    var parts = ["relationship \(relationship.name)", "\(number) \(relationship.destinationEntityName ?? "nothing")"]
    parts.append(relationship.isOptional ? "optional" : "required")
    parts.append(relationship.inverseName.map { "inverse \($0)" } ?? "no inverse")
    parts.append("delete rule \(relationship.deleteRule.name)")
    if relationship.minCount > 1 || (relationship.isToMany && relationship.minCount > 0) {
      parts.append("at least \(relationship.minCount)")
    }
    if relationship.maxCount > 1 { parts.append("at most \(relationship.maxCount)") }
    if relationship.isTransient { parts.append("transient") }
    parts += renaming(relationship.renamingIdentifier) + modifier(relationship.versionHashModifier)
    return parts.joined(separator: ", ")
  }

  private static func renaming(_ identifier: String?) -> [String] {
    identifier.map { ["renaming identifier \($0)"] } ?? []
  }

  private static func modifier(_ modifier: String?) -> [String] {
    modifier.map { ["version hash modifier \($0)"] } ?? []
  }

  static func words(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let number): String(number)
    case .decimal(let number): number.description
    case .double(let number): String(number)
    case .string(let text), .uri(let text): text
    case .boolean(let flag): flag ? "yes" : "no"
    case .date(let seconds): "\(seconds) seconds after 2001-01-01"
    case .binary(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    }
  }
}
