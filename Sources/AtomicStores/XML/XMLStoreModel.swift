import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

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
      default: throw file.error(child, .malformed("<\(child.name)> is no property"))
      }
    }
    if let both = entity.relationships.first(where: { attributes[name]?[$0.name] != nil }) {
      throw file.error(element, .malformed("\(both.name) is an attribute and a relationship"))
    }
    entities[name] = entity
  }

  private func attribute(_ element: MarkupElement, _ name: String) throws -> AttributeDescription {
    let word = try file.text("type", of: element)
    guard let type = XMLStoreValue.type(named: word) else {
      throw file.error(element, .malformed("“\(word)” is no type of an attribute"))
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
      throw file.error(element, .malformed("“\(counts)” are no counts of a relationship such as 0/1"))
    }
    let destination = try spelling(file.text("destination", of: element), at: element)
    return RelationshipDescription(
      name: name, destinationEntityName: destination, isOptional: least == 0, minCount: least, maxCount: most,
      isOrdered: most != 1)
  }
}
