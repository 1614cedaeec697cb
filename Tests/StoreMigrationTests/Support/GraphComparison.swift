import Foundation
import GRDB
import MappingModels
import ModelDescription
import TestSupport

/// Holds two object graphs against each other across a mapping: what should have survived, did.
struct GraphComparison {
  let before: ObjectGraph
  let after: ObjectGraph
  let source: EntityHierarchy
  let destination: EntityHierarchy
  let mapping: MappingModel
  /// False where values are converted to others than the same number, so that a test has to name them.
  var comparesConversions = true
  private(set) var comparedValues = 0
  private(set) var comparedLinks = 0

  init(
    before: ObjectGraph, after: ObjectGraph, source: EntityHierarchy, destination: EntityHierarchy,
    mapping: MappingModel
  ) {
    self.before = before
    self.after = after
    self.source = source
    self.destination = destination
    self.mapping = mapping
  }

  /// Every difference in one line each.
  mutating func differences() -> [String] {
    var differences: [String] = []
    for entity in mapping.entityMappings {
      guard let name = entity.destination else { continue }
      let old = entity.source.flatMap { before.rows[$0] } ?? [:]
      let new = after.rows[name] ?? [:]
      guard Set(old.keys) == Set(new.keys) else {
        differences.append("\(name): rows \(old.keys.sorted()) became \(new.keys.sorted())")
        continue
      }
      for (path, attribute) in entity.inferredAttributes {
        for (key, values) in new {
          comparedValues += 1
          let value = values[path] ?? .null
          if let expected = expected(attribute, old[key] ?? [:]), !isEqual(expected, value) {
            differences.append("\(name).\(path) of \(key): \(expected) became \(value)")
          }
        }
      }
      guard let former = entity.source else { continue }
      for (relationship, link) in entity.inferredRelationships {
        differences += compareLinks(relationship, of: name, link, of: former)
      }
    }
    return differences
  }

  /// Nil for what is computed and not carried over.
  private func expected(_ attribute: AttributeMapping, _ old: [String: DatabaseValue]) -> DatabaseValue? {
    var value: DatabaseValue
    switch attribute.origin {
    case .source(let path): value = old[path] ?? .null
    case .constant(let constant): value = constant.map(stored) ?? .null
    case .derived: return nil
    }
    for step in attribute.steps {
      switch step {
      case .replaceNil(let replacement): if value.isNull { value = stored(replacement) }
      case .convert, .externalStorage: return converted(value, step)
      }
    }
    return value
  }

  /// In the corpus only numbers are converted, none beyond its new bounds.
  private func converted(_ value: DatabaseValue, _ step: AttributeMapping.Step) -> DatabaseValue? {
    guard case .convert = step, comparesConversions else { return nil }
    return value
  }

  private func stored(_ value: AttributeValue) -> DatabaseValue {
    switch value {
    case .integer(let number): number.databaseValue
    case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue.databaseValue
    case .double(let number), .date(let number): number.databaseValue
    case .string(let text), .uri(let text): text.databaseValue
    case .boolean(let flag): (flag ? 1 : 0).databaseValue
    case .binary(let data): data.databaseValue
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { Data($0) }.databaseValue
    }
  }

  private func isEqual(_ first: DatabaseValue, _ second: DatabaseValue) -> Bool {
    if first == second { return true }
    guard let left = Double.fromDatabaseValue(first), let right = Double.fromDatabaseValue(second) else { return false }
    return left == right
  }

  private mutating func compareLinks(
    _ name: String, of entity: String, _ link: RelationshipMapping, of former: String
  ) -> [String] {
    guard let formerName = link.source, let declared = destination.allRelationships(of: entity)[name],
      let formerDeclared = source.allRelationships(of: former)[formerName],
      let target = formerDeclared.property.destinationEntityName,
      let newTarget = declared.property.destinationEntityName
    else { return [] }
    let key = "\(declared.entity.name).\(name)"
    let formerKey = "\(formerDeclared.entity.name).\(formerName)"
    let surviving = Set(
      source.family(of: target).flatMap { member -> [Int64] in
        guard !link.droppedDestinations.contains(member.name),
          let mapped = mapping.entityMappings.first(where: { $0.source == member.name })?.destination,
          destination.isEntity(mapped, kindOf: newTarget)
        else { return [] }
        return Array(before.rows[member.name]?.keys ?? [:].keys)
      })
    let owners = Set((before.rows[former] ?? [:]).keys)
    var old = (before.links[formerKey] ?? []).filter { owners.contains($0.near) && surviving.contains($0.far) }
    if declared.property.inverseName == name, newTarget == declared.entity.name {
      old.formUnion(old.map { ObjectGraph.Link(near: $0.far, far: $0.near) })
    }
    let new = (after.links[key] ?? []).filter { owners.contains($0.near) && surviving.contains($0.far) }
    comparedLinks += old.count
    guard old == new else { return ["\(entity).\(name): links \(old.count) became \(new.count)"] }
    guard declared.property.isOrdered, formerDeclared.property.isOrdered, !link.losesOrder else { return [] }
    let oldOrder = (before.orders[formerKey] ?? [:]).filter { owners.contains($0.key) }
      .mapValues { $0.filter(surviving.contains) }.filter { !$0.value.isEmpty }
    let newOrder = (after.orders[key] ?? [:]).filter { owners.contains($0.key) }
    return oldOrder == newOrder ? [] : ["\(entity).\(name): the order changed"]
  }
}
