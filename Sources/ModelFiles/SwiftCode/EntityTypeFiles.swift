public import ModelDescription
import VersionHashing

/// Swift structs for the entities of a model and for its composite types, one file for each.
///
/// A struct is independent: it has every property of its entity, including inherited properties. Relationships contain
/// the identifiers of other objects.
public struct EntityTypeFiles: Hashable, Sendable {
  /// The files, in the order of the entities in the model, then the composite types.
  public let files: [GeneratedFile]
  /// The number of structs.
  public let typeCount: Int
  private let header: String
  private let parts: [String]

  /// Writes plain structs, which need only Foundation: a to-many relationship is a set, or an array if it is ordered.
  ///
  /// - Parameter origin: the source of the model, shown in documentation comments.
  public init(_ hierarchy: EntityHierarchy, origin: String) {
    let writer = EntityTypeWriter(
      hierarchy: hierarchy, names: EntityTypeNames(hierarchy.model), origin: origin, isStored: false)
    let code = writer.types(of: hierarchy.model)
    header = "import Foundation\n"
    parts = code.map(\.code)
    typeCount = code.count
    files = code.map { [header] in GeneratedFile(name: "\($0.name).swift", code: "\(header)\n\($0.code)") }
  }

  /// Writes structs that are read from a store and saved there, each with a second file beside it.
  ///
  /// - Parameter origin: the source of the model, shown in documentation comments.
  /// - Throws: `ModelStructureError` when the entities do not have version hashes.
  public init(stored hierarchy: EntityHierarchy, origin: String) throws(ModelStructureError) {
    let names = EntityTypeNames(hierarchy.model, taken: StoredWords.types)
    let writer = EntityTypeWriter(hierarchy: hierarchy, names: names, origin: origin, isStored: true)
    let conformances = StoredTypeWriter(writer: writer, hashes: try VersionHashes(of: hierarchy))
    let (structs, extensions) = (writer.types(of: hierarchy.model), conformances.extensions(of: hierarchy.model))
    header = "// swift-format-ignore-file\nimport Foundation\nimport ModelKit\n"
    parts = structs.map(\.code) + extensions.map(\.code)
    typeCount = structs.count
    files =
      structs.map { [header] in GeneratedFile(name: "\($0.name).swift", code: "\(header)\n\($0.code)") }
      + extensions.map { [header] in GeneratedFile(name: "\($0.name)+Stored.swift", code: "\(header)\n\($0.code)") }
  }

  /// The same in a single file.
  public func joined(name: String) -> GeneratedFile {
    GeneratedFile(name: name, code: ([header] + parts).joined(separator: "\n"))
  }
}

/// Writes how the struct of an entity or of a composite type is read from a store and saved there.
struct StoredTypeWriter {
  let writer: EntityTypeWriter
  let hashes: VersionHashes
  private var names: EntityTypeNames { writer.names }

  init(writer: EntityTypeWriter, hashes: VersionHashes) { (self.writer, self.hashes) = (writer, hashes) }

  /// A property of a struct, as the parts of its extension have it.
  private struct Property {
    let reading: String
    /// The line that gives the value to a save; nil for what the store works out.
    let saving: String?
    let member: String
  }

  func extensions(of model: ManagedObjectModel) -> [(name: String, code: String)] {
    model.entities.map { (names.type(ofEntity: $0.name), code(of: $0)) }
      + names.distinctComposites.map { (names.type(ofComposite: $0.name) ?? "", code(of: $0)) }
  }

  private func code(of entity: EntityDescription) -> String {
    let type = names.type(ofEntity: entity.name)
    let (attributes, relationships) = writer.properties(of: entity)
    let properties =
      attributes.compactMap { property($0.name, $0.attribute) }
      + relationships.compactMap { property($0.name, $0.relationship) }
    let parent = entity.superentityName.flatMap { names.knownType(ofEntity: $0) }
    var lines = ["extension \(type): \(parent == nil ? "StoredObject" : "StoredSubobject") {"]
    if let parent { lines += ["  typealias Superobject = \(parent)", ""] }
    lines += description(of: entity, relationships.map(\.relationship)) + [""]
    lines += body(of: properties, identifier: ["    objectID = record.objectID()", "    version = record.version"])
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func code(of composite: CompositeDescription) -> String {
    let type = names.type(ofComposite: composite.name) ?? ""
    let properties = writer.properties(of: composite).compactMap { property($0.name, $0.attribute) }
    let lines = ["extension \(type): StoredComposite {"] + body(of: properties, identifier: [])
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func description(of entity: EntityDescription, _ relationships: [RelationshipDescription]) -> [String] {
    let hash = hashes.entities[entity.name]?.base64 ?? ""
    var arguments = ["    \(SwiftLiteral.string(entity.name)), hash: \(SwiftLiteral.string(hash))"]
    let below = writer.hierarchy.family(of: entity.name).dropFirst().map { SwiftLiteral.string($0.name) }
    if !below.isEmpty { arguments.append("    subentities: [\(below.joined(separator: ", "))]") }
    // A property may have the name of a type, which an expression would take for the property.
    let destinations = relationships.compactMap { relationship -> String? in
      let code = writer.structRelationship(relationship)
      guard code.isKept, let type = code.storedType else { return nil }
      return "      \(SwiftLiteral.string(relationship.name)): StoredType<\(type)>.type,"
    }
    if !destinations.isEmpty {
      arguments.append((["    destinations: ["] + destinations + ["    ]"]).joined(separator: "\n"))
    }
    return ["  static let storedEntity = StoredEntity(", arguments.joined(separator: ",\n") + ")"]
  }

  private func body(of properties: [Property], identifier: [String]) -> [String] {
    ["  init(_ record: StoredRecord) throws {"] + identifier + properties.map { "    \($0.reading)" }
      + ["  }", "", "  func store(in values: inout StoredValues) throws {"]
      + properties.compactMap(\.saving).map { "    \($0)" }
      + [
        "  }", "", "  /// The properties that requests can use.", "  struct Properties: StoredProperties {",
        "    let storedPath: StoredPath", "", "    init(_ path: StoredPath) { storedPath = path }",
      ] + (properties.isEmpty ? [] : [""]) + properties.map { "    \($0.member)" } + ["  }"]
  }

  // MARK: Properties

  private func property(_ name: String, _ attribute: AttributeDescription) -> Property? {
    let code = writer.structAttribute(attribute)
    guard code.isKept else { return nil }
    let key = SwiftLiteral.string(attribute.name)
    let reading = "\(code.isOptional ? "optional" : "required")\(attribute.type == .composite ? "Composite" : "")"
    let (setter, member) =
      switch attribute.type {
      case .composite:
        (
          "try values.setComposite",
          "\(code.type).Properties { .init(storedPath.appending(\(key))) }"
        )
      case .transformable: ("values.setTransformed", "StoredProperty<Data> { StoredProperty(storedPath, \(key)) }")
      default: ("values.set", "StoredProperty<\(code.type)> { StoredProperty(storedPath, \(key)) }")
      }
    return Property(
      reading: "self.\(name) = try record.\(reading)(\(key))",
      saving: attribute.derivation == nil ? "\(setter)(\(key), self.\(name))" : nil, member: "var \(name): \(member)")
  }

  private func property(_ name: String, _ relationship: RelationshipDescription) -> Property? {
    let code = writer.structRelationship(relationship)
    guard code.isKept, let type = code.storedType else { return nil }
    let key = SwiftLiteral.string(relationship.name)
    if relationship.isToMany {
      return Property(
        reading: "self.\(name) = record.links(\(key))", saving: "try values.setLinks(\(key), self.\(name))",
        member: "var \(name): StoredToMany<\(type)> { StoredToMany(storedPath, \(key)) }")
    }
    let reading = relationship.isOptional ? "optionalLink" : "requiredLink"
    return Property(
      reading: "self.\(name) = try record.\(reading)(\(key))", saving: "try values.setLink(\(key), self.\(name))",
      member: "var \(name): StoredToOne<\(type)> { StoredToOne(storedPath, \(key)) }")
  }
}
