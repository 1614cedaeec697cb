import Foundation
public import GRDB
public import ModelDescription

/// Reads object graphs.
public struct ObjectGraphReader {
  private let database: Database
  private let model: EntityHierarchy
  private let numbers: [String: Int]
  private let columns: [String: Set<String>]
  private var names: [String: String] = [:]

  /// Takes a store and its model.
  ///
  /// - Parameters:
  ///   - database: a connection to the store.
  ///   - model: the model.
  /// - Throws: `DatabaseError`.
  public init(_ database: Database, _ model: EntityHierarchy) throws {
    self.database = database
    self.model = model
    var numbers: [String: Int] = [:]
    for row in try Row.fetchAll(database, sql: "SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY") {
      numbers[row["Z_NAME"]] = row["Z_ENT"]
    }
    self.numbers = numbers
    var columns: [String: Set<String>] = [:]
    for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
      columns[table] = Set(
        try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table]))
    }
    self.columns = columns
    nameColumns()
  }

  /// Columns get their names in the order of entity numbers, attributes before to-one relationships, each sorted; a
  /// name that is taken gets a number.
  private mutating func nameColumns() {
    for root in model.model.entities where root.superentityName == nil {
      var taken: Set<String> = []
      let family = model.family(of: root.name).sorted { (numbers[$0.name] ?? 0) < (numbers[$1.name] ?? 0) }
      for entity in family {
        let attributes = entity.attributes.filter { !$0.isTransient }.flatMap(\.leaves).map {
          $0.path.joined(separator: ".")
        }
        let toOnes = declared(by: entity).filter { !$0.isToMany }.map(\.name)
        for property in attributes.sorted(by: bytes) + toOnes.sorted(by: bytes) {
          let base = "Z" + (property.split(separator: ".").last ?? "").uppercased()
          var name = base
          var number = 1
          while !taken.insert(name).inserted {
            name = base + "\(number)"
            number += 1
          }
          names["\(entity.name).\(property)"] = name
        }
      }
    }
  }

  /// The stored relationships of an entity but for those that repeat one of its ancestors, whose links are the ancestor's;
  /// a to-many with an inverse has the inverse's.
  private func declared(by entity: EntityDescription) -> [RelationshipDescription] {
    let inherited = model.lineage(of: entity.name).dropFirst().flatMap { $0.relationships.map(\.name) }
    return entity.relationships.filter { relationship in
      let hasOwnLinks = relationship.isToMany && relationship.inverseName != nil
      return !relationship.isTransient && (hasOwnLinks || !inherited.contains(relationship.name))
    }
  }

  private func bytes(_ first: String, _ second: String) -> Bool {
    Array(first.utf8).lexicographicallyPrecedes(Array(second.utf8))
  }

  private func table(_ entity: String) -> String { "Z" + model.rootName(of: entity).uppercased() }

  private func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// Reads every object.
  ///
  /// - Returns: the objects with their links.
  /// - Throws: `DatabaseError`, and an error for a join table that is not there.
  public func read() throws -> ObjectGraph {
    var graph = ObjectGraph()
    for entity in model.model.entities { graph.rows[entity.name] = try rows(of: entity.name) }
    for entity in model.model.entities {
      for relationship in declared(by: entity) {
        let key = "\(entity.name).\(relationship.name)"
        let ordered = try links(of: relationship, declaredBy: entity.name)
        graph.links[key] = Set(ordered.map { ObjectGraph.Link(near: $0.near, far: $0.far) })
        if relationship.isOrdered && relationship.isToMany {
          graph.orders[key] = Dictionary(grouping: ordered, by: \.near).mapValues { list in
            list.sorted { ($0.place ?? 0, $0.far) < ($1.place ?? 0, $1.far) }.map(\.far)
          }
        }
      }
    }
    return graph
  }

  private func rows(of entity: String) throws -> [Int64: [String: DatabaseValue]] {
    guard let number = numbers[entity] else { return [:] }
    var selected: [(path: String, column: String)] = []
    for (_, declared) in model.allAttributes(of: entity) where !declared.property.isTransient {
      for leaf in declared.property.leaves {
        let path = leaf.path.joined(separator: ".")
        selected.append((path, names["\(declared.entity.name).\(path)"] ?? "?"))
      }
    }
    let list = (["Z_PK"] + selected.map { quoted($0.column) }).joined(separator: ", ")
    let found = try Row.fetchAll(
      database, sql: "SELECT \(list) FROM \(quoted(table(entity))) WHERE Z_ENT = ?", arguments: [number])
    var rows: [Int64: [String: DatabaseValue]] = [:]
    for row in found {
      var values: [String: DatabaseValue] = [:]
      for (position, attribute) in selected.enumerated() { values[attribute.path] = row[position + 1] }
      rows[row[0]] = values
    }
    return rows
  }

  private typealias OrderedLink = (near: Int64, far: Int64, place: Int64?)

  private func links(
    of relationship: RelationshipDescription, declaredBy entity: String
  ) throws -> [OrderedLink] {
    if !relationship.isToMany {
      let column = names["\(entity).\(relationship.name)"] ?? "?"
      let numbers = familyNumbers(entity)
      return try fetch(
        "SELECT Z_PK, \(quoted(column)), NULL FROM \(quoted(table(entity))) WHERE \(quoted(column)) IS NOT NULL "
          + "AND Z_ENT IN (\(numbers))")
    }
    guard let destination = relationship.destinationEntityName else { return [] }
    guard let inverseName = relationship.inverseName,
      let inverse = model.allRelationships(of: destination)[inverseName]
    else {
      let column = "Z\(numbers[entity] ?? 0)\(relationship.name.uppercased())"
      let place = place(of: column, in: destination)
      return try fetch(
        "SELECT \(quoted(column)), Z_PK, \(place) FROM \(quoted(table(destination))) WHERE \(quoted(column)) IS NOT NULL"
      )
    }
    if !inverse.property.isToMany {
      let column = names["\(inverse.entity.name).\(inverseName)"] ?? "?"
      let place = place(of: column, in: destination)
      return try fetch(
        "SELECT \(quoted(column)), Z_PK, \(place) FROM \(quoted(table(destination))) WHERE \(quoted(column)) IS NOT NULL "
          + "AND Z_ENT IN (\(familyNumbers(inverse.entity.name)))")
    }
    return try joined(relationship, entity, inverse.property, inverse.entity.name)
  }

  /// The column of an object's place among those that a key column leads to, where there is one.
  private func place(of column: String, in entity: String) -> String {
    let order = "Z_FOK_\(column.dropFirst())"
    return columns[table(entity)]?.contains(order) == true ? quoted(order) : "NULL"
  }

  private func familyNumbers(_ entity: String) -> String {
    model.family(of: entity).compactMap { numbers[$0.name] }.map(String.init).joined(separator: ", ")
  }

  /// A join table is named after either side; a column may end in a digit where another has its name.
  private func joined(
    _ relationship: RelationshipDescription, _ entity: String, _ inverse: RelationshipDescription, _ other: String
  ) throws -> [OrderedLink] {
    let near = "Z_\(numbers[entity] ?? 0)\(inverse.name.uppercased())"
    let far = "Z_\(numbers[other] ?? 0)\(relationship.name.uppercased())"
    let isReflexive = entity == other && relationship.name == inverse.name
    for table in [
      "Z_\(numbers[entity] ?? 0)\(relationship.name.uppercased())",
      "Z_\(numbers[other] ?? 0)\(inverse.name.uppercased())",
    ] {
      guard let present = columns[table] else { continue }
      if isReflexive { return try fetch("SELECT \(quoted(near)), REFLEXIVE, NULL FROM \(quoted(table))") }
      let (nearName, farName) = (variant(near, in: present), variant(far, in: present))
      guard let nearName, let farName else { continue }
      let order = "Z_FOK_\(farName.dropFirst(2))"
      let place = present.contains(order) ? quoted(order) : "NULL"
      return try fetch("SELECT \(quoted(nearName)), \(quoted(farName)), \(place) FROM \(quoted(table))")
    }
    throw MissingTable(relationship: "\(entity).\(relationship.name)")
  }

  private func variant(_ name: String, in present: Set<String>) -> String? {
    present.contains(name) ? name : (1...9).map { "\(name)\($0)" }.first { present.contains($0) }
  }

  private struct MissingTable: Error {
    let relationship: String
  }

  private func fetch(_ sql: String) throws -> [OrderedLink] {
    try Row.fetchAll(database, sql: sql).map { ($0[0], $0[1], $0[2]) }
  }
}
