import AtomicStores
import ModelDescription
import ModelFiles
import StoreRows

/// Parses the objects of a text, and collects errors.
struct ObjectParsing {
  /// The limit of keys, which reserves larger keys for objects without one.
  private static let keyLimit: UInt64 = 1 << 62

  let model: LoadModel
  var findings = LoadFindings()

  init(_ model: LoadModel) { self.model = model }

  /// The entity of an object and its key; nil if either is wrong, without an error.
  func name(of object: TextObject) -> (entity: LoadModel.Entity, key: Int64?)? {
    guard let entity = object.entity.flatMap({ model.entity($0.name) }) else { return nil }
    guard let member = object.members.first(where: { $0.key == entity.keyName }) else { return (entity, nil) }
    return Self.key(member.value).map { (entity, $0) }
  }

  /// Parses an object; nil if its entity or its key cannot be read.
  mutating func parse(_ object: TextObject) -> ParsedObject? {
    guard let entity = entity(of: object) else { return nil }
    var key: Int64?
    if let member = object.members.first(where: { $0.key == entity.keyName }), member.value.value != .null {
      key = Self.key(member.value)
      guard key != nil else {
        findings.add(
          .text(.malformed("\(entity.keyName) must be a whole number that no other \(entity.root) has")),
          at: member.value.location)
        return nil
      }
    }
    var parsed = ParsedObject(entity: entity, key: key, location: object.location)
    parsed.unsaid = object.unsaid
    if object.isComplete { parsed.omitted = entity.defaulted }
    for member in object.members where member.key != entity.keyName {
      read(member, into: &parsed)
      if object.isComplete, case .attribute(let attribute)? = entity.properties[member.key] {
        parsed.unsaid[member.key] = Self.unsaid(by: member.value, attribute)
      }
    }
    return parsed
  }

  /// The elements of a composite attribute that its value does not name; nil if there are none.
  private static func unsaid(by node: JSONNode, _ attribute: AttributeDescription) -> [[String]]? {
    guard attribute.type == .composite else { return nil }
    let paths = attribute.leaves.map(\.path).filter { !isSaid($0.dropFirst(), by: node) }
    return paths.isEmpty ? nil : paths
  }

  /// Whether a value names an element, or clears a composite with it.
  private static func isSaid(_ path: ArraySlice<String>, by node: JSONNode) -> Bool {
    guard let first = path.first, case .object(let members) = node.value else { return true }
    guard let member = members.first(where: { $0.key == first }) else { return false }
    return isSaid(path.dropFirst(), by: member.value)
  }

  private mutating func entity(of object: TextObject) -> LoadModel.Entity? {
    guard let (name, location) = object.entity else {
      findings.add(.noEntity, at: object.location)
      return nil
    }
    guard let entity = model.entity(name) else {
      findings.add(.text(.unknownEntity(name, near: model.nearEntities(to: name))), at: location)
      return nil
    }
    guard !entity.isAbstract else {
      findings.add(.text(.abstractEntity(name)), at: location)
      return nil
    }
    return entity
  }

  private static func key(_ node: JSONNode) -> Int64? {
    guard let key = node.wholeNumber, key.magnitude < keyLimit else { return nil }
    return key
  }

  // MARK: Properties

  private mutating func read(_ member: JSONMember, into object: inout ParsedObject) {
    let entity = object.entity
    switch entity.properties[member.key] {
    case .attribute(let attribute):
      do throws(JSONStoreError) {
        object.values[member.key] = try JSONStoreValue.value(member.value, attribute) ?? .null
      } catch {
        findings.add(Self.cause(error, in: member.value), at: error.location)
        object.unread.insert(member.key)
      }
    case .relationship(let relationship):
      guard let targets = targets(member.value, relationship) else {
        object.unread.insert(member.key)
        return
      }
      object.links[member.key] = targets
    case .passedOver: break
    case nil:
      let near = NearNames.nearest(to: member.key, among: [entity.keyName] + entity.properties.keys.sorted())
      findings.add(.text(.unknownProperty(member.key, entity: entity.name, near: near)), at: member.keyLocation)
    }
  }

  private static func cause(_ error: JSONStoreError, in node: JSONNode) -> LoadFinding.Cause {
    guard case .value(let text, let property, AttributeType.decimal.name) = error.finding,
      node.isNumber(at: error.location)
    else { return .text(error.finding) }
    return .unquotedDecimal(text, property: property)
  }

  private mutating func targets(_ node: JSONNode, _ relationship: RelationshipDescription) -> [ParsedObject.Target]? {
    if node.value == .null { return [] }
    guard relationship.isToMany else { return target(node, relationship).map { [$0] } }
    guard case .array(let nodes) = node.value else {
      findings.add(.text(.value(node.words, property: relationship.name, type: "list of links")), at: node.location)
      return nil
    }
    var found: [ParsedObject.Target] = []
    var seen: Set<ParsedObject.Target> = []
    var isWhole = true
    for node in nodes {
      guard let target = target(node, relationship) else {
        isWhole = false
        continue
      }
      guard seen.insert(target).inserted else {
        findings.add(.text(.malformed("\(relationship.name) links to \(node.words) twice")), at: node.location)
        isWhole = false
        continue
      }
      found.append(target)
    }
    return isWhole ? found : nil
  }

  private mutating func target(_ node: JSONNode, _ relationship: RelationshipDescription) -> ParsedObject.Target? {
    let destination = relationship.destinationEntityName ?? ""
    if let attribute = model.matchedAttribute(ofLinksTo: destination) {
      do throws(JSONStoreError) {
        if let value = try JSONStoreValue.value(node, attribute) { return .value(value, text: node.words) }
      } catch {
        findings.add(Self.cause(error, in: node), at: error.location)
        return nil
      }
    }
    guard let (named, key) = try? JSONStoreValue.reference(node), key.magnitude < Self.keyLimit else {
      findings.add(.text(.value(node.words, property: relationship.name, type: "link")), at: node.location)
      return nil
    }
    if let named, model.entity(named) == nil {
      findings.add(.text(.unknownEntity(named, near: model.nearEntities(to: named))), at: node.location)
      return nil
    }
    let isOne = named.map { name in model.hierarchy.family(of: destination).contains { $0.name == name } } ?? true
    guard isOne else {
      findings.add(
        .text(
          .malformed("\(relationship.name) links to objects of \(destination), and \(named ?? "") is not one of them")),
        at: node.location)
      return nil
    }
    return .key(RecordID(entity: named ?? destination, key: key))
  }
}

extension JSONNode {
  fileprivate func isNumber(at place: SourceLocation) -> Bool {
    switch value {
    case .number: location == place
    case .object(let members): members.contains { $0.value.isNumber(at: place) }
    default: false
    }
  }
}
