import Foundation
import ModelComparison
import ModelDescription

/// What there is to know of a property beyond its name, its type and whether it is optional, one fact each.
enum PropertyFacts {
  static func of(_ attribute: AttributeDescription) -> [String] {
    var facts: [String] = []
    if let value = attribute.defaultValue { facts.append("default \(words(value))") }
    let bound = attribute.type == .string ? " length" : ""
    if let minimum = attribute.validation.minimum { facts.append("minimum\(bound) \(words(minimum))") }
    if let maximum = attribute.validation.maximum { facts.append("maximum\(bound) \(words(maximum))") }
    if let expression = attribute.validation.regularExpression {
      facts.append("matches \(SpokenText.quoted(expression))")
    }
    if let derivation = attribute.derivation {
      facts.append("derived from \(SpokenText.quoted(derivation.expression))")
      if let filter = derivation.filterPredicate { facts.append("derived where \(SpokenText.quoted(filter))") }
    }
    if attribute.allowsExternalBinaryDataStorage { facts.append("allows external storage") }
    if attribute.preservesValueInHistoryOnDeletion { facts.append("preserved after deletion") }
    if attribute.allowsCloudEncryption { facts.append("allows cloud encryption") }
    if attribute.isIndexed { facts.append("indexed") }
    if attribute.isIndexedBySpotlight { facts.append("indexed by Spotlight") }
    if let name = attribute.valueTransformerName { facts.append("value transformer \(name)") }
    if let name = attribute.valueClassName { facts.append("value class \(name)") }
    return facts + identity(attribute.renamingIdentifier, attribute.versionHashModifier, attribute.userInfo)
  }

  static func of(_ relationship: RelationshipDescription) -> [String] {
    var facts: [String] = []
    if let inverse = relationship.inverseName {
      let entity = relationship.inverseEntityName.flatMap { $0 == relationship.destinationEntityName ? nil : $0 }
      facts.append("inverse \(inverse)\(entity.map { " of \($0)" } ?? "")")
    } else {
      facts.append("no inverse")
    }
    facts.append("delete rule \(relationship.deleteRule.name)")
    // Also of a to-one relationship: files write it or leave it out, and the hash tells the two apart.
    if relationship.minCount > 0 { facts.append("at least \(relationship.minCount)") }
    if relationship.maxCount > 1 { facts.append("at most \(relationship.maxCount)") }
    if relationship.isIndexed { facts.append("indexed") }
    return facts
      + identity(relationship.renamingIdentifier, relationship.versionHashModifier, relationship.userInfo)
  }

  static func of(_ request: FetchRequestDescription) -> [String] {
    ["fetches \(request.entityName)"]
      + (request.predicate.map { ["where \(SpokenText.quoted($0))"] } ?? [])
      + request.settings.sorted { $0.key < $1.key }.map { "\($0.key.wordsOfName) \($0.value)" }
  }

  /// What pairs an element with its former self, and the developer's own entries.
  static func identity(_ renaming: String?, _ modifier: String?, _ userInfo: [String: String]) -> [String] {
    (renaming.map { ["renaming identifier \($0)"] } ?? [])
      + (modifier.map { ["version hash modifier \($0)"] } ?? [])
      + userInfo.sorted { $0.key < $1.key }.map { "user info \($0.key): \(SpokenText.quoted($0.value))" }
  }

  static func words(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let number): String(number)
    case .decimal(let number): number.description
    case .double(let number): String(number)
    case .string(let text): SpokenText.quoted(text)
    case .uri(let text): text
    case .boolean(let flag): flag ? "yes" : "no"
    case .date(let seconds): DateText.of(seconds)
    case .binary(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    }
  }
}
