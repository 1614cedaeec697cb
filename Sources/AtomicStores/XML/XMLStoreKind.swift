public import Foundation
public import ModelDescription
import ModelFiles
public import PersistentStores
import VersionHashing

/// Core Data's XML store, `NSXMLStoreType`.
///
/// Source: 48 stores that Core Data wrote.
public struct XMLStoreKind: PiecewiseStoreKind {
  /// `XML`, which the metadata in the file does not repeat.
  public let name = "XML"

  /// Creates the store type, which lacks settings.
  public init() {}

  /// True for text whose document type or first element is `database`.
  public func recognizes(_ start: Data) -> Bool {
    let text = String(decoding: start, as: UTF8.self).drop { $0 == "\u{FEFF}" || $0.isWhitespace }
    guard text.hasPrefix("<") else { return false }
    return text.range(of: #"<(!DOCTYPE\s+)?database[\s>]"#, options: .regularExpression) != nil
  }

  /// Reads the metadata of a store.
  public func metadata(in bytes: Data, path: String) throws -> StoreMetadata {
    // The text after the head is only read if the head alone is invalid.
    if let head = XMLStoreFile.head(of: bytes), let metadata = try? XMLStoreFile(head, path: path).metadata() {
      return metadata
    }
    return try XMLStoreFile(bytes, path: path).metadata()
  }

  /// Reads the metadata of a store, without the rest of the file after its head.
  public func metadata(ofFile path: String) throws -> StoreMetadata {
    var start = Data()
    let isWhole = try FileBytes.forEachPiece(of: path, size: 1 << 16) { piece in
      let place = max(0, start.count - XMLStoreFile.headEnd.count)
      start.append(contentsOf: piece)
      return start.range(of: XMLStoreFile.headEnd, in: place..<start.count) == nil
    }
    if !isWhole, let head = XMLStoreFile.head(of: start), let metadata = try? XMLStoreFile(head, path: path).metadata()
    {
      return metadata
    }
    return try metadata(in: isWhole ? start : FileBytes.whole(path), path: path)
  }

  /// Reads a store.
  public func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
    try XMLStoreReader.document(in: XMLStoreFile(bytes, path: path), of: model)
  }

  /// Reads a store object by object.
  package func read(
    _ bytes: Data, of model: EntityHierarchy, path: String, _ take: (StoreDocument.Object) throws -> Void
  ) throws -> StoreDocument? {
    try XMLStoreReader.read(bytes, of: model, path: path, take)
  }

  /// Writes a store.
  package func bytes(of content: DocumentContent, model: EntityHierarchy) throws -> Data {
    try XMLStoreWriter.bytes(of: content, model: model)
  }

  /// Recovers the parts of a store's model that the file contains, so that the store can be read and written.
  ///
  /// Entities have the spelling of the version hashes; properties are in lower case. Inheritance and inverses are
  /// unknown. To-many relationships are ordered, so that the file's order is kept.
  ///
  /// - Throws: ``StoreDocumentError`` if the file is invalid.
  public func model(in bytes: Data, path: String) throws -> ManagedObjectModel {
    try XMLStoreModel.model(of: XMLStoreFile(bytes, path: path))
  }
}

/// The part of a model that an XML store shows.
struct XMLStoreModel {
  private let file: XMLStoreFile
  private let spellings: [String: [String]]
  private var entities: [String: EntityDescription] = [:]
  private var attributes: [String: [String: Int]] = [:]
  private var relationships: [String: [String: Int]] = [:]

  static func model(of file: XMLStoreFile) throws -> ManagedObjectModel {
    let metadata = try file.metadata()
    var recovery = XMLStoreModel(
      file: file,
      spellings: Dictionary(grouping: metadata.versionHashes.entities.keys.sorted()) { $0.uppercased() })
    for element in file.objects { try recovery.add(element) }
    for name in metadata.versionHashes.entities.keys { recovery.entities[name, default: .init(name: name)].name = name }
    return ManagedObjectModel(
      entities: recovery.entities.values.sorted { $0.name < $1.name }, versionIdentifiers: metadata.identifiers)
  }

  private init(file: XMLStoreFile, spellings: [String: [String]]) { (self.file, self.spellings) = (file, spellings) }

  private func spelling(_ name: String, at element: MarkupElement) throws -> String {
    let found = spellings[name.uppercased()] ?? []
    guard found.count < 2 else { throw file.error(element, .ambiguousName(name, candidates: found)) }
    return found.first ?? name.uppercased()
  }

  private mutating func add(_ element: MarkupElement) throws {
    let name = try spelling(file.text("type", of: element), at: element)
    var entity = entities[name] ?? EntityDescription(name: name)
    for child in element.children {
      let property = try file.text("name", of: child).lowercased()
      switch child.name {
      case "attribute":
        let attribute = try attribute(child, property)
        if let position = attributes[name]?[property] {
          // An attribute whose values differ in type has none.
          if entity.attributes[position].type != attribute.type { entity.attributes[position].type = .undefined }
        } else {
          attributes[name, default: [:]][property] = entity.attributes.count
          entity.attributes.append(attribute)
        }
      case "relationship":
        let relationship = try relationship(child, property)
        if relationships[name]?[property] == nil {
          relationships[name, default: [:]][property] = entity.relationships.count
          entity.relationships.append(relationship)
        }
      default: throw file.error(child, .malformed("<\(child.name)> is not a property"))
      }
    }
    if let both = entity.relationships.first(where: { attributes[name]?[$0.name] != nil }) {
      throw file.error(element, .malformed("\(both.name) is both an attribute and a relationship"))
    }
    entities[name] = entity
  }

  private func attribute(_ element: MarkupElement, _ name: String) throws -> AttributeDescription {
    let word = try file.text("type", of: element)
    guard let type = XMLStoreValue.type(named: word) else {
      throw file.error(element, .malformed("“\(word)” is not a valid type of an attribute"))
    }
    var attribute = AttributeDescription(name: name, type: type, isOptional: true)
    guard type == .composite else { return attribute }
    for child in element.children {
      attribute.elements.append(try self.attribute(child, file.text("name", of: child).lowercased()))
    }
    return attribute
  }

  private func relationship(_ element: MarkupElement, _ name: String) throws -> RelationshipDescription {
    let counts = try file.text("type", of: element)
    let numbers = counts.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let least = numbers[0], let most = numbers[1], least >= 0, most >= 0 else {
      throw file.error(element, .malformed("“\(counts)” is not a valid count of a relationship, such as 0/1"))
    }
    let destination = try spelling(file.text("destination", of: element), at: element)
    return RelationshipDescription(
      name: name, destinationEntityName: destination, isOptional: least == 0, minCount: least, maxCount: most,
      isOrdered: most != 1)
  }
}
