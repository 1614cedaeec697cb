public import Foundation
package import MappingModels
import VersionHashing

/// Reads a compiled mapping model (`.cdm`): the keyed archive of an `NSMappingModel`.
public struct CompiledMappingReader {
  private let location: SourceLocation
  private var entityMappings: [EntityMapping] = []
  /// The source expressions as archived, by the name of their entity mapping.
  package private(set) var sourceExpressions: [String: ValueExpression] = [:]
  private var notes: [ModelNote] = []

  /// Reads a `.cdm` file.
  public static func read(fileAt path: String) throws(ModelFileError) -> MappingCompilation {
    try read(try FileBytes.read(path), path: path)
  }

  /// Reads an archive's bytes.
  ///
  /// - Parameter data: the archive; it may be hostile.
  public static func read(_ data: Data, path: String) throws(ModelFileError) -> MappingCompilation {
    try CompiledMappingReader(data, path: path).compilation
  }

  /// Reads an archive's bytes, and keeps the source expressions.
  ///
  /// - Parameter data: the archive; it may be hostile.
  package init(_ data: Data, path: String) throws(ModelFileError) {
    location = SourceLocation(file: path, line: 1, column: 1)
    let root: ArchivedObject?
    do {
      root = try KeyedArchive(data, path: path).root
    } catch {
      throw broken("NSMappingModel", .unreadable(error))
    }
    guard let root, root.isKind(of: "NSMappingModel") else { throw broken("NSMappingModel", .noMappingModel) }
    guard let archived = root["NSEntityMappings"] else { throw broken("NSMappingModel", .noEntityMappings) }
    var names: Set<String> = []
    for object in archived.elements {
      let mapping = try entityMapping(object)
      guard names.insert(mapping.name).inserted else {
        throw broken("NSEntityMappings", .duplicateEntityMapping(mapping.name))
      }
      entityMappings.append(mapping)
    }
  }

  /// The mapping model, and what was read past.
  package var compilation: MappingCompilation {
    MappingCompilation(mapping: MappingModel(entityMappings: entityMappings), notes: notes)
  }

  private func broken(_ attribute: String, _ error: MappingArchiveError) -> ModelFileError {
    .mapping(location: location, finding: .badArchive(attribute: attribute, error))
  }

  private mutating func entityMapping(_ object: ArchivedObject) throws(ModelFileError) -> EntityMapping {
    let source = object["NSSourceEntityName"]?.filledString
    let destination = object["NSDestinationEntityName"]?.filledString
    guard object.isKind(of: "NSEntityMapping"), let name = object["NSMappingName"]?.filledString else {
      throw broken("NSEntityMappings", .unnamedEntityMapping)
    }
    let number = object["NSMappingType"]?.value.integer ?? 0
    guard let kind = EntityMapping.Kind(rawValue: Int(clamping: number)) else {
      throw broken(name, .unknownType(number))
    }
    return EntityMapping(
      name: name, kind: kind, source: source, destination: destination,
      sourceVersionHash: try hash("NSSourceEntityVersionHash", of: object, name),
      destinationVersionHash: try hash("NSDestinationEntityVersionHash", of: object, name),
      filter: try filter(of: object, source: source, name),
      attributeMappings: try propertyMappings("NSAttributeMappings", of: object, name),
      relationshipMappings: try propertyMappings("NSRelationshipMappings", of: object, name),
      policyClassName: object["NSEntityMigrationPolicyClassName"]?.filledString,
      userInfo: object["NSUserInfo"]?.textEntries ?? [:])
  }

  private func hash(
    _ field: String, of object: ArchivedObject, _ mapping: String
  ) throws(ModelFileError) -> VersionHash? {
    guard let value = object[field] else { return nil }
    guard let data = value.value.data ?? value["NS.data"]?.value.data, let hash = VersionHash(data) else {
      throw broken("\(field) of \(mapping)", .noHash)
    }
    return hash
  }

  private mutating func filter(
    of object: ArchivedObject, source: String?, _ mapping: String
  ) throws(ModelFileError) -> ValueExpression? {
    guard let archived = object["NSSourceExpression"] else { return nil }
    let expression = try expression(archived, of: mapping)
    sourceExpressions[mapping] = expression
    guard let fetch = SourceFetch(expression), fetch.entity == source else {
      throw .mapping(location: location, finding: .unsupportedSourceExpression)
    }
    return try FilterText.filter(fetch.predicate, location: location)
  }

  private mutating func propertyMappings(
    _ field: String, of object: ArchivedObject, _ mapping: String
  ) throws(ModelFileError) -> PropertyMappings {
    var mappings = PropertyMappings()
    for property in object[field]?.elements ?? [] {
      guard let name = property["NSDestinationPropertyName"]?.filledString else {
        throw broken("\(field) of \(mapping)", .unnamedPropertyMapping)
      }
      if let transforms = property["NSPropertyTransforms"], !transforms.elements.isEmpty {
        notes.append(ModelNote(location: location, sentence: "the transforms of \(mapping).\(name) are not read"))
      }
      var value = PropertyMapping.Value.unset
      if let archived = property["NSValueExpression"] {
        value = .expression(try expression(archived, of: "\(mapping).\(name)"))
      }
      mappings.append(PropertyMapping(name: name, value: value, userInfo: property["NSUserInfo"]?.textEntries ?? [:]))
    }
    return mappings
  }

  private func expression(_ object: ArchivedObject, of address: String) throws(ModelFileError) -> ValueExpression {
    do {
      return try ArchivedExpressionReader.read(object)
    } catch {
      throw .mapping(location: location, finding: .unreadableExpression(of: address, reason: error))
    }
  }
}
