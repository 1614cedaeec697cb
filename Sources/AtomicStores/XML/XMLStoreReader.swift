import Foundation
import ModelDescription
import ModelFiles
import StoreRows

/// Reads the objects of an XML store.
struct XMLStoreReader {
  private let file: XMLStoreFile
  private var names: XMLStoreNames
  private var ids: [Int64: RecordID] = [:]

  static func document(in file: XMLStoreFile, of model: EntityHierarchy) throws -> StoreDocument {
    let (metadata, numbering) = try file.numbered()
    var reader = XMLStoreReader(file: file, names: XMLStoreNames(model))
    try reader.findObjects(model, numbering)
    var objects: [StoreDocument.Object] = []
    objects.reserveCapacity(file.objects.count)
    for element in file.objects { objects.append(try reader.object(element)) }
    return StoreDocument(
      metadata: metadata, objects: objects,
      lastKeys: numbering.lastKeys(of: objects, highest: try file.highest(), model: model))
  }

  private init(file: XMLStoreFile, names: XMLStoreNames) { (self.file, self.names) = (file, names) }

  /// Runs a look-up whose errors are about an element.
  private func at<Value>(_ element: MarkupElement, _ body: () throws(UnplacedError) -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw file.error(element, error.finding)
    }
  }

  private mutating func findObjects(_ model: EntityHierarchy, _ numbering: KeyNumbering) throws {
    for element in file.objects {
      let name = try file.text("type", of: element)
      let entity = try at(element) { () throws(UnplacedError) in try names.entity(name) }
      guard !entity.isAbstract else { throw file.error(element, .abstractEntity(entity.name)) }
      let identifier = try file.identifier(file.text("id", of: element), at: element)
      let id = RecordID(entity: entity.name, key: numbering.key(identifier, root: model.rootName(of: entity.name)))
      guard ids.updateValue(id, forKey: identifier) == nil else {
        throw file.error(element, .duplicateKey("z\(identifier)"))
      }
    }
  }

  private mutating func object(_ element: MarkupElement) throws -> StoreDocument.Object {
    let identifier = try file.identifier(file.text("id", of: element), at: element)
    guard let id = ids[identifier] else { throw file.error(element, .malformed("z\(identifier) is not known")) }
    try file.checkHoldsElements(element)
    var values: [String: RecordValue] = [:]
    for child in element.children {
      let name = try file.text("name", of: child)
      let property: XMLStoreNames.Property
      do {
        property = try names.property(name, of: id.entity)
      } catch {
        throw file.error(child, error.finding)
      }
      let value: RecordValue?
      switch (child.name, property) {
      case ("attribute", .attribute(let attribute)): value = try self.value(child, attribute)
      case ("relationship", .relationship(let relationship)): value = try links(child, relationship)
      default: throw file.error(child, .malformed("<\(child.name)> is not what \(property.name) is in the model"))
      }
      guard let value else { continue }
      guard values.updateValue(value, forKey: property.name) == nil else {
        throw file.error(child, .malformed("\(property.name) has a second value"))
      }
    }
    return StoreDocument.Object(id: id, values: values)
  }

  private func value(_ element: MarkupElement, _ attribute: AttributeDescription) throws -> RecordValue {
    let type = element[attribute: "type"].flatMap(XMLStoreValue.type(named:))
    if attribute.type != .composite { try file.checkHoldsText(element) }
    switch attribute.type {
    case .composite: return try composite(element, attribute)
    case .transformable:
      guard let bytes = Base64.decoded(element.text) else { throw unfit(element, attribute) }
      return .transformed(bytes)
    case .undefined, .objectID, .unrecognized:
      if type == .transformable {
        guard let bytes = Base64.decoded(element.text) else { throw unfit(element, attribute) }
        return .transformed(bytes)
      }
      guard let value = XMLStoreValue.value(element.text, type: type ?? .string) else {
        throw unfit(element, attribute)
      }
      return .attribute(value)
    default:
      guard let value = XMLStoreValue.value(element.text, type: attribute.type) else { throw unfit(element, attribute) }
      return .attribute(value)
    }
  }

  private func composite(_ element: MarkupElement, _ attribute: AttributeDescription) throws -> RecordValue {
    try file.checkHoldsElements(element)
    var values: [String: RecordValue] = [:]
    for child in element.children {
      let name = try file.text("name", of: child)
      let found = attribute.elements.filter { $0.name.lowercased() == name.lowercased() }
      guard found.count < 2 else { throw file.error(child, .ambiguousName(name, candidates: found.map(\.name))) }
      guard let member = found.first else {
        throw file.error(
          child,
          .unknownProperty(
            name, entity: attribute.name, near: NearNames.nearest(to: name, among: attribute.elements.map(\.name))))
      }
      guard values.updateValue(try value(child, member), forKey: member.name) == nil else {
        throw file.error(child, .malformed("\(member.name) has a second value"))
      }
    }
    return .composite(values)
  }

  private func links(_ element: MarkupElement, _ relationship: RelationshipDescription) throws -> RecordValue? {
    try file.checkHoldsElements(element)
    try file.checkHoldsText(element)
    var targets: [RecordID] = []
    var strangers: [StoreDocumentError.Finding] = []
    var seen: Set<RecordID> = []
    for text in (element[attribute: "idrefs"] ?? "").split(whereSeparator: \.isWhitespace) {
      let identifier = try file.identifier(text, at: element)
      guard let target = ids[identifier] else {
        throw file.error(element, .danglingLink("z\(identifier)", property: relationship.name))
      }
      // A model that was recovered from the store itself has no inverses, and knows of no sub-entities.
      if relationship.inverseName != nil, let entity = relationship.destinationEntityName,
        !names.isEntity(target.entity, kindOf: entity)
      {
        let link = "\(relationship.name) leads to z\(identifier)"
        strangers.append(.malformed("\(link), an object of \(target.entity) and not of \(entity)"))
      }
      guard seen.insert(target).inserted else {
        throw file.error(element, .malformed("\(relationship.name) leads to z\(identifier) twice"))
      }
      targets.append(target)
    }
    guard let first = targets.first else { return nil }
    guard relationship.isToMany || targets.count == 1 else {
      throw file.error(element, .malformed("\(relationship.name) leads to one object, and not to \(targets.count)"))
    }
    if let stranger = strangers.first { throw file.error(element, stranger) }
    guard !relationship.isToMany else {
      return .objects(relationship.isOrdered ? targets : targets.sorted { ($0.key, $0.entity) < ($1.key, $1.entity) })
    }
    return .object(first)
  }

  private func unfit(_ element: MarkupElement, _ attribute: AttributeDescription) -> StoreDocumentError {
    let text = element.text.count > 40 ? "\(element.text.prefix(40))…" : element.text
    return file.error(element, .value(text, property: attribute.name, type: attribute.type.name))
  }
}
