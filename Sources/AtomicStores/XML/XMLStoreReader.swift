import Foundation
import ModelDescription
import ModelFiles
import PersistentStores
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
    for element in file.objects { objects.append(try reader.object(element).object) }
    return StoreDocument(
      metadata: metadata, objects: objects,
      lastKeys: numbering.lastKeys(of: objects.lazy.map(\.id), highest: try file.highest(), model: model))
  }

  /// Reads a store, and passes on its objects one at a time; nil if it is invalid.
  static func read(
    _ bytes: Data, of model: EntityHierarchy, path: String, _ take: (StoreDocument.Object) throws -> Void
  ) throws -> StoreDocument? {
    guard let text = try? MarkupReader.utf8(bytes, path: path, byteLimit: XMLStoreFile.byteLimit) else { return nil }
    var head: (metadata: StoreMetadata, lastKeys: [String: Int64])?
    var reader: XMLStoreReader?
    var seen: Set<Int64> = []
    var fit = FitCheck(of: model)
    var isSound = true
    var failure: (any Error)?
    let root = try? withoutActuallyEscaping(take) { take in
      try MarkupReader.read(text, path: path, elementLimit: XMLStoreFile.elementLimit) { child in
        guard isSound, failure == nil else { return true }
        if reader == nil {
          head = try? begin(child, text, model, path, &reader)
          isSound = head != nil
          return false
        }
        guard child.name == "object", let object = try? reader?.object(child), seen.insert(object.identifier).inserted,
          fit.finding(in: object.object, isThere: { _ in true }) == nil
        else {
          isSound = false
          return true
        }
        do { try take(object.object) } catch { failure = error }
        return true
      }
    }
    if let failure { throw failure }
    // All objects were known before the first one was read, so that links have the entities of their objects.
    guard isSound, root?.name == "database", let head, seen.count == reader?.ids.count else { return nil }
    return StoreDocument(metadata: head.metadata, objects: [], lastKeys: head.lastKeys)
  }

  /// Reads the head, which comes first, and finds the objects in the text.
  private static func begin(
    _ head: MarkupElement, _ text: [UInt8], _ model: EntityHierarchy, _ path: String, _ reader: inout XMLStoreReader?
  ) throws -> (metadata: StoreMetadata, lastKeys: [String: Int64])? {
    guard let file = XMLStoreFile(head: head, path: path) else { return nil }
    let (metadata, numbering) = try file.numbered()
    var made = XMLStoreReader(file: file, names: XMLStoreNames(model))
    for (name, identifier) in XMLObjectTags(text) {
      let entity = try made.names.entity(name)
      guard !entity.isAbstract, let identifier = Int64(identifier.dropFirst()), identifier > 0 else { return nil }
      let id = RecordID(entity: entity.name, key: numbering.key(identifier, root: model.rootName(of: entity.name)))
      guard made.ids.updateValue(id, forKey: identifier) == nil else { return nil }
    }
    reader = made
    let lastKeys = numbering.lastKeys(of: made.ids.values, highest: try file.highest(), model: model)
    return (metadata, lastKeys)
  }

  private init(file: XMLStoreFile, names: XMLStoreNames) { (self.file, self.names) = (file, names) }

  /// Runs a lookup, and adds the location of an element to its errors.
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

  private mutating func object(
    _ element: MarkupElement
  ) throws -> (identifier: Int64, object: StoreDocument.Object) {
    let identifier = try file.identifier(file.text("id", of: element), at: element)
    guard let id = ids[identifier] else {
      throw file.error(element, .malformed("z\(identifier) is not an object of this store"))
    }
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
      default:
        throw file.error(child, .malformed("<\(child.name)> does not match the kind of \(property.name) in the model"))
      }
      guard let value else { continue }
      guard values.updateValue(value, forKey: property.name) == nil else {
        throw file.error(child, .malformed("\(property.name) has a second value"))
      }
    }
    return (identifier, StoreDocument.Object(id: id, values: values))
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
        let link = "\(relationship.name) points to z\(identifier)"
        strangers.append(.malformed("\(link), an object of \(target.entity) instead of \(entity)"))
      }
      guard seen.insert(target).inserted else {
        throw file.error(element, .malformed("\(relationship.name) points to z\(identifier) twice"))
      }
      targets.append(target)
    }
    guard let first = targets.first else { return nil }
    guard relationship.isToMany || targets.count == 1 else {
      throw file.error(
        element, .malformed("\(relationship.name) is a to-one relationship, but has \(targets.count) objects"))
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

/// The tags of objects in the text of an XML store, as Core Data writes them; for other texts the result is not
/// defined.
private struct XMLObjectTags: Sequence, IteratorProtocol {
  private static let name = Array("<object ".utf8)
  private static let type = Array(" type=\"".utf8)
  private static let identifier = Array(" id=\"".utf8)

  private let text: [UInt8]
  private var position = 0

  init(_ text: [UInt8]) { self.text = text }

  mutating func next() -> (type: String, identifier: String)? {
    while let start = find(UInt8(ascii: "<"), from: position) {
      position = start + 1
      guard text[start...].starts(with: Self.name), let end = find(UInt8(ascii: ">"), from: start) else { continue }
      position = end
      return (value(of: Self.type, start..<end) ?? "", value(of: Self.identifier, start..<end) ?? "")
    }
    return nil
  }

  private func find(_ byte: UInt8, from start: Int) -> Int? {
    text.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count,
        let found = memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return base.distance(to: found)
    }
  }

  private func value(of attribute: [UInt8], _ tag: Range<Int>) -> String? {
    let start = tag.first { text[$0] == attribute[0] && text[$0..<tag.upperBound].starts(with: attribute) }
    guard let start = start.map({ $0 + attribute.count }),
      let end = find(UInt8(ascii: "\""), from: start), end < tag.upperBound
    else { return nil }
    return String(decoding: text[start..<end], as: UTF8.self)
  }
}
