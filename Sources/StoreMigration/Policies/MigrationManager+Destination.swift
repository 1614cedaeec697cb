import Foundation
import GRDB
public import MappingModels
import MigrationSQL
public import ModelDescription
import PersistentStores

extension MigrationManager {
  /// The value of an attribute of a destination object; an element of a composite one by its path.
  ///
  /// - Throws: ``PolicyError``.
  public func value(_ attribute: String, of object: DestinationObject) throws -> AttributeValue? {
    let (table, column, description) = try place(attribute, of: object.entity)
    let query: SQLStatement =
      "SELECT \(name: column) FROM \(name: table) WHERE \(name: "Z_PK") = ?"
    let statement = try database.cachedStatement(sql: query.text)
    guard let found = try DatabaseValue.fetchOne(statement, arguments: [object.key]), !found.isNull else { return nil }
    guard let value = AttributeValue(stored: found, as: description.type) else {
      throw PolicyError.unreadable(entity: object.entity, property: attribute)
    }
    guard description.allowsExternalBinaryDataStorage, case .binary(let data) = value, data.first == 1 else {
      return value
    }
    return .binary(Data(data.dropFirst()))
  }

  /// Sets an attribute of a destination object.
  ///
  /// - Parameters:
  ///   - value: the value, of the attribute's type, or nil.
  ///   - attribute: its name, or the path of an element of a composite attribute.
  /// - Throws: ``PolicyError``.
  public func setValue(_ value: AttributeValue?, forAttribute attribute: String, of object: DestinationObject) throws {
    guard takesObjects else { throw PolicyError.tooLate }
    let (table, column, description) = try place(attribute, of: object.entity)
    var stored: SQLStatement = "NULL"
    if let value {
      guard value.suits(description.type) else {
        throw PolicyError.wrongType(entity: object.entity, attribute: attribute)
      }
      stored = AttributeMapping.Step.stored(value, in: description)
    }
    try execute("UPDATE \(name: table) SET \(name: column) = \(stored) WHERE \(name: "Z_PK") = ?", object.key)
  }

  private func place(
    _ attribute: String, of entity: String
  ) throws(PolicyError) -> (table: String, column: String, AttributeDescription) {
    guard let description = context.destination.attribute(at: attribute, of: entity),
      let place = context.destination.address(ofAttribute: attribute, in: entity)
        .flatMap({ context.destination.place(.attribute($0)) })
    else { throw .unknownProperty(entity: entity, property: attribute) }
    return (place.table.name, place.column.name, description)
  }

  /// Links a destination object, in place of the mapping's expression for this relationship.
  ///
  /// - Parameter objects: the objects to link, in their order; an empty array leaves the relationship empty.
  /// - Throws: ``PolicyError``.
  public func setDestinationInstances(
    _ objects: [DestinationObject], forRelationship relationship: String, of object: DestinationObject
  ) throws {
    guard takesObjects else { throw PolicyError.tooLate }
    let model = context.destination
    guard let address = model.address(ofRelationship: relationship, in: object.entity),
      let description = model.relationship(address), let destination = description.destinationEntityName,
      let found = work.pairs.first(where: { $0.pair.address == address })
        ?? work.pairs.first(where: { $0.pair.inverse == address })
    else { throw PolicyError.unknownProperty(entity: object.entity, property: relationship) }
    for other in objects where !model.hierarchy.isEntity(other.entity, kindOf: destination) {
      throw PolicyError.wrongObject(entity: object.entity, relationship: relationship, object: other.entity)
    }
    if objects.count > 1, !description.isToMany {
      throw PolicyError.wrongObject(
        entity: object.entity, relationship: relationship, object: "number of objects above one")
    }
    let isNear = found.pair.address == address
    try LinkRecord(table: found.table, isNear: isNear, isReflexive: found.pair.isReflexive)
      .replace(object.key, with: objects.map(\.key), by: self)
  }

  /// Links a destination object by the mapping's expressions, when the objects of all mappings exist.
  ///
  /// - Throws: ``PolicyError``, and errors of the policy's functions.
  public func createDefaultRelationships(forDestination object: DestinationObject, in mapping: EntityMapping) throws {
    guard takesObjects else { throw PolicyError.tooLate }
    guard let planned = work.mappings[mapping.name] else { throw PolicyError.unknownMapping(mapping.name) }
    try execute(
      "INSERT OR IGNORE INTO \(name: "temp").\(name: planned.entity.defaultsTable) (dst) VALUES (?)", object.key)
    guard let policy = current?.policy, !planned.functions.isEmpty else { return }
    let sources = try sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [object])
    guard let source = sources.first else { return }
    for (relationship, selector) in planned.functions {
      let objects = try policy.destinationInstances(forSelector: selector, source: source, manager: self)
      try setDestinationInstances(objects, forRelationship: relationship, of: object)
    }
  }
}

/// The links of a single object as a policy sets them, in the table that gathers the links of their pair.
struct LinkRecord {
  let table: String
  let isNear: Bool
  let isReflexive: Bool

  /// The place of what policies write among the properties of a mapping: after all of them.
  static let property = Int64.max

  /// Takes the place of what was said of the object before.
  func replace(_ object: Int64, with others: [Int64], by manager: MigrationManager) throws {
    let links: SQLStatement = "\(name: "temp").\(name: table)"
    let set: SQLStatement = "\(name: "temp").\(name: GatheredLinks.setTable(of: table))"
    let side: SQLStatement = isNear ? "near" : "far"
    let position = manager.current.map { Int64($0.mapping.entity.position) } ?? 0
    try manager.execute("INSERT OR IGNORE INTO \(set) (isNear, object) VALUES (?, ?)", isNear ? 1 : 0, object)
    try manager.execute(
      "DELETE FROM \(links) WHERE \(side) = ? AND isNear = ? AND property = ?", object, isNear ? 1 : 0, Self.property)
    if isReflexive {
      let other: SQLStatement = isNear ? "far" : "near"
      try manager.execute(
        "DELETE FROM \(links) WHERE \(other) = ? AND isNear = ? AND property = ?", object, isNear ? 0 : 1, Self.property
      )
    }
    for (place, other) in others.enumerated() {
      try insert(links, object, other, place: place + 1, position, isNear: isNear, by: manager)
      if isReflexive { try insert(links, object, other, place: place + 1, position, isNear: !isNear, by: manager) }
    }
  }

  private func insert(
    _ links: SQLStatement, _ object: Int64, _ other: Int64, place: Int, _ position: Int64, isNear: Bool,
    by manager: MigrationManager
  ) throws {
    let columns: SQLStatement = isNear ? "near, far, place" : "far, near, inversePlace"
    try manager.execute(
      "INSERT INTO \(links) (\(columns), mapping, object, property, isNear) VALUES (?, ?, ?, ?, ?, ?, ?)", object,
      other,
      place, position, object, Self.property, isNear ? 1 : 0)
  }
}
