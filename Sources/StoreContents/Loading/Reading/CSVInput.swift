import AtomicStores
import ModelDescription
import ModelFiles

/// The objects of a table whose header names properties.
struct CSVInput {
  let path: String
  let entity: String
  let model: LoadModel

  private enum Column {
    case key
    /// An attribute by its path; elements of composite attributes have their own columns.
    case attribute([String], AttributeDescription)
    case toOne(RelationshipDescription)
    case toMany(RelationshipDescription)
    /// A derived attribute, which is computed again.
    case passedOver
  }

  func read(_ body: (TextObject) throws -> Void) throws {
    var reader = try CSVReader(path)
    guard let known = model.entity(entity) else {
      let finding = StoreDocumentError.Finding.unknownEntity(entity, near: model.nearEntities(to: entity))
      throw LoadError.table(reader.header[0].location, finding)
    }
    let columns = try columns(reader.header, of: known)
    let unsaid = Self.unsaid(by: columns, of: known)
    while let fields = try reader.next() {
      var members: [JSONMember] = []
      var composites: [String: CSVComposite] = [:]
      for (column, field) in zip(columns, fields) {
        switch column {
        case .key where field.text.isEmpty: break
        case .key: members.append(member(known.keyName, CSVValue.key(field.text, field.location), field))
        case .attribute(let path, let attribute):
          let node = CSVValue.node(field, attribute.type)
          guard path.count > 1 else {
            members.append(member(path[0], node, field))
            continue
          }
          composites[path[0], default: CSVComposite(field.location)].set(path.dropFirst(), to: node)
        case .toOne(let relationship):
          members.append(member(relationship.name, link(field.text, relationship, field), field))
        case .toMany(let relationship):
          let nodes = field.text.split(separator: " ").map { link(String($0), relationship, field) }
          members.append(member(relationship.name, JSONNode(value: .array(nodes), location: field.location), field))
        case .passedOver: break
        }
      }
      for (name, composite) in composites.sorted(by: { $0.key < $1.key }) {
        members.append(JSONMember(key: name, keyLocation: composite.location, value: composite.node))
      }
      let location = fields[0].location
      try body(
        TextObject(
          entity: (entity, location), members: members, location: location, isComplete: false, unsaid: unsaid))
    }
  }

  private func member(_ name: String, _ node: JSONNode, _ field: CSVReader.Field) -> JSONMember {
    JSONMember(key: name, keyLocation: field.location, value: node)
  }

  // MARK: Header

  private func columns(_ header: [CSVReader.Field], of entity: LoadModel.Entity) throws -> [Column] {
    var seen: Set<String> = []
    return try header.map { field in
      guard seen.insert(field.text).inserted else {
        throw LoadError.structure(
          field.location, "the header names the column “\(field.text)” twice; remove one of the two")
      }
      guard let column = column(field.text, of: entity) else {
        if case .attribute(let attribute)? = entity.properties[field.text], !attribute.leaves.isEmpty {
          throw LoadError.structure(field.location, Self.words(forCompositeColumn: attribute, of: entity))
        }
        let names = entity.columnNames
        let finding = StoreDocumentError.Finding.unknownProperty(
          field.text, entity: entity.name, near: NearNames.nearest(to: field.text, among: names))
        throw LoadError.column(field.location, finding)
      }
      return column
    }
  }

  /// The message about a column with the name of a composite attribute.
  private static func words(forCompositeColumn attribute: AttributeDescription, of entity: LoadModel.Entity) -> String {
    let columns = attribute.leaves.map { $0.path.joined(separator: ".") }
    return "“\(attribute.name)” is a composite attribute of \(entity.name), and its elements are columns; write "
      + columns.joined(separator: ", ")
  }

  /// The elements without a column of composite attributes that have a column for another element.
  private static func unsaid(by columns: [Column], of entity: LoadModel.Entity) -> [String: [[String]]] {
    let said = columns.compactMap { column in if case .attribute(let path, _) = column { path } else { nil } }
    let unsaid = entity.leaves.values.map(\.path).filter { path in
      !said.contains(path) && said.contains { $0.count > 1 && $0[0] == path[0] }
    }
    return Dictionary(grouping: unsaid) { $0[0] }
  }

  private func column(_ name: String, of entity: LoadModel.Entity) -> Column? {
    if name == entity.keyName { return .key }
    switch entity.properties[name] {
    case .attribute(let attribute) where attribute.type != .composite: return .attribute([name], attribute)
    case .relationship(let relationship): return relationship.isToMany ? .toMany(relationship) : .toOne(relationship)
    case .passedOver: return .passedOver
    case .attribute, nil: break
    }
    guard let leaf = entity.leaves[name] else { return nil }
    return .attribute(leaf.path, leaf.attribute)
  }

  // MARK: Links

  private func link(_ text: String, _ relationship: RelationshipDescription, _ field: CSVReader.Field) -> JSONNode {
    let location = field.location
    if text.isEmpty, !field.isQuoted { return JSONNode(value: .null, location: location) }
    if let attribute = model.matchedAttribute(ofLinksTo: relationship.destinationEntityName ?? "") {
      return CSVValue.node(text, attribute.type, location)
    }
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, model.entity(parts[0]) != nil else { return CSVValue.key(text, location) }
    let key = JSONMember(key: parts[0], keyLocation: location, value: CSVValue.key(parts[1], location))
    return JSONNode(value: .object([key]), location: location)
  }
}

/// The elements of a composite attribute in the columns of a table.
private struct CSVComposite {
  let location: SourceLocation
  private var elements: [(name: String, node: JSONNode)] = []
  private var nested: [String: CSVComposite] = [:]

  init(_ location: SourceLocation) { self.location = location }

  mutating func set(_ path: ArraySlice<String>, to node: JSONNode) {
    guard let first = path.first else { return }
    guard path.count > 1 else { return elements.append((first, node)) }
    nested[first, default: CSVComposite(location)].set(path.dropFirst(), to: node)
  }

  /// The elements as an object; null if no element has a value.
  var node: JSONNode {
    let all = elements + nested.sorted { $0.key < $1.key }.map { ($0.key, $0.value.node) }
    let members = all.filter { $0.1.value != .null }
      .map { JSONMember(key: $0.0, keyLocation: $0.1.location, value: $0.1) }
    return JSONNode(value: members.isEmpty ? .null : .object(members), location: location)
  }
}

/// Fields of a table as JSON values, so that both formats share one parser.
enum CSVValue {
  /// A field; null if it is empty and not in quotes.
  static func node(_ field: CSVReader.Field, _ type: AttributeType) -> JSONNode {
    if field.text.isEmpty, !field.isQuoted { return JSONNode(value: .null, location: field.location) }
    return node(field.text, type, field.location)
  }

  /// A text; if it is not a value of the type, it is kept as a text, which is then refused.
  static func node(_ text: String, _ type: AttributeType, _ location: SourceLocation) -> JSONNode {
    JSONNode(value: value(text, type, location), location: location)
  }

  static func key(_ text: String, _ location: SourceLocation) -> JSONNode {
    guard let key = Int64(text) else { return JSONNode(value: .string(text), location: location) }
    let literal = key.magnitude < 1 << 53 ? nil : text
    return JSONNode(value: .number(Double(key)), location: location, literal: literal)
  }

  private static func value(_ text: String, _ type: AttributeType, _ location: SourceLocation) -> JSONNode.Value {
    switch type {
    case .integer16, .integer32, .integer64:
      guard let number = Int64(text), number.magnitude < 1 << 53 else { return .string(text) }
      return .number(Double(number))
    case .double, .float, .date: return number(text).map { .number($0) } ?? .string(text)
    case .boolean: return text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
    case .undefined:
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let type = JSONStoreValue.type(named: parts[0]) else { return .string(text) }
      return .object([JSONMember(key: parts[0], keyLocation: location, value: node(parts[1], type, location))])
    default: return .string(text)
    }
  }

  private static func number(_ text: String) -> Double? {
    guard text.utf8.count <= 64, text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }
}
