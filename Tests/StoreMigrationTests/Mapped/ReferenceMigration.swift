import Foundation
import GRDB
import MappingModels
import ModelDescription
import TestSupport

/// Runs a mapping model as Core Data does, object by object in three passes, over objects in memory.
///
/// It shares no code with plans. Links are added one by one in Core Data's order; where a relationship can hold one
/// object, adding a second replaces the first, on both sides.
struct ReferenceMigration {
  let mapping: MappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy
  let graph: ObjectGraph
  let evaluator: ReferenceEvaluator

  /// An object that a mapping makes.
  struct Made: Hashable {
    let mapping: Int
    let source: ReferenceObject
    let key: Int64
  }

  /// One link as it is written.
  struct Write {
    let near: Int64
    let far: Int64
    let place: Int?
    let inversePlace: Int?
    /// The source list that the places are in.
    let list: Int
    /// Mapping, object, property: the order of writing.
    let turn: [Int64]
    /// False for a further candidate of a to-one, which is not taken.
    let isTaken: Bool
  }

  private(set) var made: [Made] = []
  private(set) var result = ObjectGraph()
  /// The relationships, as `Entity.name`, that get several candidates and can hold one.
  private(set) var contested: Set<String> = []

  init(
    _ mapping: MappingModel, from source: EntityHierarchy, to destination: EntityHierarchy, graph: ObjectGraph,
    now: Double
  ) throws {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    self.graph = graph
    evaluator = ReferenceEvaluator(graph: graph, model: source, now: now)
    try create()
    try relate()
  }

  // MARK: Creating

  private mutating func create() throws {
    var objects: [(mapping: Int, source: ReferenceObject)] = []
    for (position, entity) in mapping.entityMappings.enumerated() {
      let name = entity.source ?? ""
      for key in (graph.rows[name] ?? [:]).keys.sorted() {
        let object = ReferenceObject(entity: name, key: key)
        if let filter = entity.filter, try !evaluator.condition(filter, of: object) { continue }
        objects.append((position, object))
      }
    }
    assignKeys(objects)
    for entity in destination.model.entities { result.rows[entity.name] = [:] }
    for object in made {
      let entity = mapping.entityMappings[object.mapping]
      var row: [String: DatabaseValue] = [:]
      for (name, declared) in destination.allAttributes(of: entity.destination ?? "") {
        let attribute = declared.property
        row[name] =
          attribute.defaultValue.map(Self.stored) ?? .null
        if case .expression(let expression)? = entity.attributeMappings.first(where: { $0.name == name })?.value {
          let held = graph.rows[object.source.entity]?[object.source.key]?[name]
          if attribute.allowsExternalBinaryDataStorage, expression == .sourceValue([name]),
            case .blob(let bytes)? = held?.storage, bytes.first != 1
          {
            // What is no data in the row, such as the name of a file, is carried over as it is.
            row[name] = held
          } else {
            row[name] = try evaluator.stored(expression, for: attribute, of: object.source)
          }
        }
      }
      result.rows[entity.destination ?? "", default: [:]][object.key] = row
    }
  }

  /// A default as a store of Core Data holds it.
  private static func stored(_ value: AttributeValue) -> DatabaseValue {
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

  /// The first mapping into a table keeps its keys, and so do others from the same root that read another entity; the
  /// rest keep what is free, and get keys above all others for what is not.
  private mutating func assignKeys(_ objects: [(mapping: Int, source: ReferenceObject)]) {
    var keepers: [String: (root: String, entities: Set<String>)] = [:]
    var isKeeper: [Int: Bool] = [:]
    var highest: [String: Int64] = [:]
    for (position, entity) in mapping.entityMappings.enumerated() {
      let table = destination.rootName(of: entity.destination ?? "")
      let root = source.rootName(of: entity.source ?? "")
      let keys = source.family(of: root).flatMap { (graph.rows[$0.name] ?? [:]).keys }
      highest[table] = max(highest[table] ?? 0, keys.max() ?? 0)
      if let keeper = keepers[table] {
        isKeeper[position] = keeper.root == root && !keeper.entities.contains(entity.source ?? "")
      } else {
        keepers[table] = (root, [])
        isKeeper[position] = true
      }
      if isKeeper[position] == true { keepers[table]?.entities.insert(entity.source ?? "") }
    }
    var used: [String: Set<Int64>] = [:]
    var keys: [Int: Int64] = [:]
    for (number, object) in objects.enumerated() where isKeeper[object.mapping] == true {
      keys[number] = object.source.key
      used[table(of: object.mapping), default: []].insert(object.source.key)
    }
    for position in mapping.entityMappings.indices where isKeeper[position] != true {
      let table = table(of: position)
      let taken = used[table] ?? []
      var next = max(highest[table] ?? 0, taken.max() ?? 0)
      for (number, object) in objects.enumerated() where object.mapping == position {
        if taken.contains(object.source.key) {
          next += 1
          keys[number] = next
        } else {
          keys[number] = object.source.key
        }
        used[table, default: []].insert(keys[number] ?? 0)
      }
    }
    made = objects.enumerated().map { Made(mapping: $1.mapping, source: $1.source, key: keys[$0] ?? 0) }
  }

  private func table(of mapping: Int) -> String {
    destination.rootName(of: self.mapping.entityMappings[mapping].destination ?? "")
  }

  // MARK: Linking

  /// A relationship by the entity that declares it.
  private struct Side: Hashable {
    let name: String
    let relationship: RelationshipDescription
  }

  private func side(_ name: String, of entity: String) -> Side? {
    destination.allRelationships(of: entity)[name].map {
      Side(name: "\($0.entity.name).\(name)", relationship: $0.property)
    }
  }

  private func inverse(of side: Side) -> Side? {
    guard let name = side.relationship.inverseName, let entity = side.relationship.destinationEntityName else {
      return nil
    }
    return self.side(name, of: entity)
  }

  /// The source list behind a relationship's objects, seen from the side that is first by name; nil for no plain one.
  private func listName(_ objects: ValueExpression, _ entity: String, _ side: Side) -> String? {
    guard case .keyPath(let keys, of: _) = objects, keys.count == 1,
      let declared = source.allRelationships(of: entity)[keys[0]]
    else { return nil }
    if let inverse = inverse(of: side), inverse.name < side.name {
      let target = declared.property.destinationEntityName ?? ""
      let back = declared.property.inverseName.flatMap { source.allRelationships(of: target)[$0] }
      return back.map { "\($0.entity.name).\($0.property.name)" } ?? "to \(declared.entity.name).\(keys[0])"
    }
    return "\(declared.entity.name).\(keys[0])"
  }

  /// The number of a source list among those that fill a relationship, in the order of mappings and properties.
  private func list(_ objects: ValueExpression, _ entity: String, _ side: Side) -> Int {
    var names: [String] = []
    for mapping in mapping.entityMappings {
      for property in mapping.relationshipMappings {
        guard let other = self.side(property.name, of: mapping.destination ?? ""),
          other.name == side.name || other.name == inverse(of: side)?.name,
          case .expression(.invocation(_, _, let arguments)) = property.value, arguments.count == 2,
          let name = listName(arguments[1], mapping.source ?? "", other), !names.contains(name)
        else { continue }
        names.append(name)
      }
    }
    return listName(objects, entity, side).flatMap(names.firstIndex) ?? 0
  }

  private mutating func relate() throws {
    var writes: [String: [Write]] = [:]
    for object in made.sorted(by: { ($0.mapping, $0.source.key) < ($1.mapping, $1.source.key) }) {
      let entity = mapping.entityMappings[object.mapping]
      for (rank, property) in entity.relationshipMappings.enumerated() {
        guard case .expression(let expression) = property.value,
          let side = side(property.name, of: entity.destination ?? "")
        else { continue }
        let found = try candidates(
          expression, side, of: object, turn: [Int64(object.mapping), object.source.key, Int64(rank)])
        write(found, side, &writes)
      }
    }
    let sides = destination.model.entities.flatMap { entity in
      entity.relationships.compactMap { side($0.name, of: entity.name) }
    }
    for side in sides { contest(side, writes[side.name] ?? []) }
    for side in sides { settle(side, writes[side.name] ?? []) }
  }

  private func write(_ found: [Write], _ side: Side, _ writes: inout [String: [Write]]) {
    writes[side.name, default: []] += found
    guard let inverse = inverse(of: side) else { return }
    writes[inverse.name, default: []] += found.map {
      Write(
        near: $0.far, far: $0.near, place: $0.inversePlace, inversePlace: $0.place, list: $0.list, turn: $0.turn,
        isTaken: $0.isTaken)
    }
  }

  private func candidates(
    _ expression: ValueExpression, _ side: Side, of object: Made, turn: [Int64]
  ) throws -> [Write] {
    if case .conditional(let test, then: let value, else: .null) = expression {
      guard try evaluator.condition(test, of: object.source) else { return [] }
      // A choice among objects says nothing of the places that the others have them at.
      return try candidates(value, side, of: object, turn: turn).map { write in
        Write(
          near: write.near, far: write.far, place: write.place, inversePlace: nil, list: 0, turn: write.turn,
          isTaken: write.isTaken)
      }
    }
    guard case .invocation(_, let selector, let arguments) = expression, arguments.count == 2,
      case .constant(.string(let name)) = arguments[0]
    else { return [] }
    let target = side.relationship.destinationEntityName ?? ""
    let makers = mapping.entityMappings.indices.filter { position in
      let maker = mapping.entityMappings[position]
      guard destination.isEntity(maker.destination ?? "", kindOf: target) else { return false }
      guard selector.hasPrefix("destinationInstancesForSource") else { return maker.name == name }
      let along = source.allRelationships(of: object.source.entity)[name]?.property.destinationEntityName ?? ""
      return source.isEntity(maker.source ?? "", kindOf: along)
    }
    var found: [Write] = []
    for (place, other) in try evaluator.targets(arguments[1], of: object.source).enumerated() {
      let places = places(arguments[1], object.source, other, place)
      for maker in makers {
        guard let far = made.first(where: { $0.mapping == maker && $0.source == other }) else { continue }
        found.append(
          Write(
            near: object.key, far: far.key, place: places.near, inversePlace: places.far,
            list: list(arguments[1], object.source.entity, side), turn: turn, isTaken: true))
      }
    }
    guard !side.relationship.isToMany, let first = found.min(by: { isBefore($0, $1) }) else { return found }
    return found.map {
      Write(
        near: $0.near, far: $0.far, place: $0.place, inversePlace: $0.inversePlace, list: $0.list, turn: $0.turn,
        isTaken: $0.far == first.far)
    }
  }

  /// The place of each object in the other's order, where the source keeps one.
  private func places(
    _ objects: ValueExpression, _ near: ReferenceObject, _ far: ReferenceObject, _ place: Int
  ) -> (near: Int?, far: Int?) {
    guard case .keyPath(let keys, of: _) = objects, keys.count == 1,
      let declared = source.allRelationships(of: near.entity)[keys[0]]
    else { return (nil, nil) }
    var back: Int?
    if let name = declared.property.inverseName,
      let inverse = source.allRelationships(of: declared.property.destinationEntityName ?? "")[name],
      inverse.property.isToMany, inverse.property.isOrdered
    {
      back = graph.orders["\(inverse.entity.name).\(name)"]?[far.key]?.firstIndex(of: near.key)
    }
    return (declared.property.isToMany && declared.property.isOrdered ? place : nil, back)
  }

  private func isBefore(_ one: Write, _ two: Write) -> Bool {
    func key(_ write: Write) -> [Int64] {
      [
        write.place == nil ? 1 : 0, write.place == nil ? 0 : Int64(write.list), Int64(write.place ?? 0), write.turn[0],
        write.far,
      ]
    }
    return key(one).lexicographicallyPrecedes(key(two))
  }

  /// Adds the links of a relationship one by one; one that takes the place of another removes it.
  private mutating func settle(_ side: Side, _ writes: [Write]) {
    let inverse = inverse(of: side)
    let isNearLimited = !side.relationship.isToMany
    let isFarLimited = inverse.map { !$0.relationship.isToMany } ?? side.relationship.isToMany
    var kept: [Write] = []
    for write in writes.filter(\.isTaken).sorted(by: { $0.turn.lexicographicallyPrecedes($1.turn) }) {
      if isNearLimited { kept.removeAll { $0.near == write.near && ($0.far != write.far || $0.turn != write.turn) } }
      if isFarLimited { kept.removeAll { $0.far == write.far && ($0.near != write.near || $0.turn != write.turn) } }
      kept.append(write)
    }
    let isContested = [side, inverse].contains { $0.map { contested.contains($0.name) } ?? false }
    if !isContested { kept = writes }
    result.links[side.name] = Set(kept.map { ObjectGraph.Link(near: $0.near, far: $0.far) })
    guard side.relationship.isToMany, side.relationship.isOrdered else { return }
    result.orders[side.name] = Dictionary(grouping: kept, by: \.near).mapValues { writes in
      writes.sorted(by: isBefore).reduce(into: []) { if !$0.contains($1.far) { $0.append($1.far) } }
    }
  }

  private mutating func contest(_ side: Side, _ writes: [Write]) {
    if !side.relationship.isToMany { contest(writes, side.name, by: \.near, \.far) }
    if inverse(of: side) == nil, side.relationship.isToMany { contest(writes, side.name, by: \.far, \.near) }
  }

  private mutating func contest(
    _ writes: [Write], _ name: String, by side: KeyPath<Write, Int64>, _ other: KeyPath<Write, Int64>
  ) {
    let partners = Dictionary(grouping: writes) { $0[keyPath: side] }.mapValues { Set($0.map { $0[keyPath: other] }) }
    if partners.values.contains(where: { $0.count > 1 }) { contested.insert(name) }
  }
}
