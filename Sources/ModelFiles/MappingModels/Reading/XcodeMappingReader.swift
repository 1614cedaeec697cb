import Foundation
import MappingModels
import ModelDescription
import VersionHashing

/// Reads a mapping model from its XML store, from the mapping model down.
struct XcodeMappingReader {
  static let rootType = "XDDEVMAPPINGMODEL"
  private static let entityType = "XDDEVENTITYMAPPING"
  private static let attributeType = "XDDEVATTRIBUTEMAPPING"
  private static let relationshipType = "XDDEVRELATIONSHIPMAPPING"
  private static let rootValues: Set<String> = [
    "sourcemodelpath", "sourcemodeldata", "destinationmodelpath", "destinationmodeldata", "entitymappings",
  ]
  private static let entityValues: Set<String> = [
    "mappingtypename", "mappingnumber", "autogenerateexpression", "sourcename", "destinationname",
    "migrationpolicyclassname", "name", "sourcefilterpredicatestring", "sourceexpressiondata", "userinfodata",
    "mappingmodel", "attributemappings", "relationshipmappings",
  ]
  private static let propertyValues: Set<String> = [
    "name", "valueexpressiondata", "autogenerateexpression", "sourcekeypath", "sourcemappingname", "userinfodata",
    "entitymapping",
  ]

  private let document: XMLStoreDocument
  private let path: String
  private var reached: Set<String> = []
  private var notes: [ModelNote] = []

  static func read(_ document: XMLStoreDocument, path: String) throws(ModelFileError) -> XcodeMappingModel {
    var reader = XcodeMappingReader(document: document, path: path)
    return try reader.read()
  }

  private init(document: XMLStoreDocument, path: String) { (self.document, self.path) = (document, path) }

  private mutating func read() throws(ModelFileError) -> XcodeMappingModel {
    let root = try document.onlyObject(ofType: Self.rootType)
    reached.insert(root.id)
    let source = try snapshot(.source, of: root)
    let destination = try snapshot(.destination, of: root)
    noteUnknown(root, known: Self.rootValues)
    var mappings: [XcodeEntityMapping] = []
    for object in try document.targets(of: "entitymappings", of: root, type: Self.entityType, taken: &reached) {
      mappings.append(try entityMapping(object))
    }
    let ordered = mappings.enumerated().sorted {
      ($0.element.number ?? .max, $0.offset) < ($1.element.number ?? .max, $1.offset)
    }
    noteUnreached()
    return XcodeMappingModel(
      path: path, source: source, destination: destination, entityMappings: ordered.map(\.element), notes: notes)
  }

  private mutating func snapshot(
    _ side: MappingSide, of root: XMLStoreObject
  ) throws(ModelFileError) -> MappingModelSnapshot {
    let name = "\(side)modeldata"
    let location = root.location(of: name)
    guard let data = try root.data(name) else { throw .mapping(location: location, finding: .noSnapshot(side)) }
    let file: ModelFile
    do {
      file = try ElementsReader.read(data, path: path)
    } catch {
      throw .mapping(location: location, finding: .badArchive(attribute: name, .unreadable(error)))
    }
    for note in file.notes { self.note(location, "in the \(side) model: \(note.sentence)") }
    let hierarchy: EntityHierarchy
    let hashes: VersionHashes
    do {
      hierarchy = try EntityHierarchy(file.model)
      hashes = try VersionHashes(of: hierarchy)
    } catch {
      throw .mapping(location: location, finding: .unsoundSnapshot(side, error))
    }
    return MappingModelSnapshot(
      versionPath: Self.versionPath(try root.text("\(side)modelpath") ?? ""), hierarchy: hierarchy, hashes: hashes,
      location: location)
  }

  /// The last two components of a path, which is absolute on the author's computer.
  private static func versionPath(_ path: String) -> String {
    path.split(separator: "/").suffix(2).joined(separator: "/")
  }

  private mutating func entityMapping(_ object: XMLStoreObject) throws(ModelFileError) -> XcodeEntityMapping {
    noteUnknown(object, known: Self.entityValues)
    let number = try object.number("mappingnumber")
    if number == nil { note(object.location, "an entity mapping has no number and follows the other entity mappings") }
    var sourceExpression = try expression("sourceexpressiondata", of: object)
    if sourceExpression != nil, try object.flag("autogenerateexpression") != false {
      note(
        object.location(of: "sourceexpressiondata"),
        "a source expression next to a generated source expression has no effect")
      sourceExpression = nil
    }
    var attributes: [XcodePropertyMapping] = []
    for target in try targets("attributemappings", of: object, type: Self.attributeType) {
      if let mapping = try propertyMapping(target) { attributes.append(mapping) }
    }
    var relationships: [XcodePropertyMapping] = []
    for target in try targets("relationshipmappings", of: object, type: Self.relationshipType) {
      if let mapping = try propertyMapping(target) { relationships.append(mapping) }
    }
    return XcodeEntityMapping(
      location: object.location, number: number, name: try object.text("name"),
      source: try object.text("sourcename"), destination: try object.text("destinationname"),
      policyClassName: try object.text("migrationpolicyclassname"),
      filter: try object.text("sourcefilterpredicatestring"), sourceExpression: sourceExpression,
      attributeMappings: attributes, relationshipMappings: relationships, userInfo: try userInfo(of: object))
  }

  private mutating func targets(
    _ relationship: String, of object: XMLStoreObject, type: String
  ) throws(ModelFileError) -> [XMLStoreObject] {
    try document.targets(of: relationship, of: object, type: type, taken: &reached)
  }

  private mutating func propertyMapping(_ object: XMLStoreObject) throws(ModelFileError) -> XcodePropertyMapping? {
    noteUnknown(object, known: Self.propertyValues)
    guard let name = try object.text("name") else {
      note(object.location, "a property mapping names no property and is ignored")
      return nil
    }
    return XcodePropertyMapping(
      location: object.location, name: name, expression: try expression("valueexpressiondata", of: object),
      sourceKeyPath: try object.text("sourcekeypath"), sourceMappingName: try object.text("sourcemappingname"),
      generatesExpression: try object.flag("autogenerateexpression") ?? true, userInfo: try userInfo(of: object))
  }

  private func expression(_ name: String, of object: XMLStoreObject) throws(ModelFileError) -> ArchivedExpression? {
    guard let root = try archive(name, of: object) else { return nil }
    do {
      return .readable(try ArchivedExpressionReader.read(root))
    } catch {
      return .unreadable(error)
    }
  }

  private mutating func userInfo(of object: XMLStoreObject) throws(ModelFileError) -> [String: String] {
    guard let root = try archive("userinfodata", of: object) else { return [:] }
    if root.textEntries.count != root.entries.count {
      note(object.location(of: "userinfodata"), "user info entries that are not texts are ignored")
    }
    return root.textEntries
  }

  private func archive(_ name: String, of object: XMLStoreObject) throws(ModelFileError) -> ArchivedObject? {
    guard let data = try object.data(name) else { return nil }
    let root: ArchivedObject?
    do {
      root = try KeyedArchive(data, path: path).root
    } catch {
      throw badArchive(name, of: object, .unreadable(error))
    }
    guard let root else { throw badArchive(name, of: object, .empty) }
    return root
  }

  private func badArchive(_ name: String, of object: XMLStoreObject, _ error: MappingArchiveError) -> ModelFileError {
    .mapping(location: object.location(of: name), finding: .badArchive(attribute: name, error))
  }

  private mutating func note(_ location: SourceLocation, _ sentence: String) {
    notes.append(ModelNote(location: location, sentence: sentence))
  }

  private mutating func noteUnknown(_ object: XMLStoreObject, known: Set<String>) {
    for name in object.names where !known.contains(name) {
      note(object.location(of: name), "unknown value \(name) of a \(object.type)")
    }
  }

  private mutating func noteUnreached() {
    let unreached = document.objects.filter { !reached.contains($0.id) }
    guard let first = unreached.first else { return }
    note(first.location, "\(unreached.count) deleted mappings that the file still contains are ignored")
  }
}
