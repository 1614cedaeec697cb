import Foundation
public import MappingModels
public import ModelDescription
import VersionHashing

/// The reasons why a mapping model cannot be written as Xcode's editor saves one.
public struct XcodeMappingError: Error, Hashable, Sendable {
  /// One reason.
  public enum Cause: Hashable, Sendable {
    /// A property's value is SQL.
    case sql(of: String)
    /// The mapping model replaces a policy class of the app.
    case replacement(of: String)
    /// A value or a filter has a part that no known archive contains.
    case expression(of: String, part: String)
    /// A filter uses a variable that a fetch request does not have.
    case filterVariable(mapping: String, name: String)
    /// A property of one of the two models is of a kind that no known archive of the editor contains.
    case property(String, kind: String, version: String)
    /// An entity would get another version hash for an unknown reason.
    case otherHash(entity: String, version: String)
    /// Two entity mappings have one name.
    case duplicateName(String)
    /// The file cannot number so many entity mappings.
    case tooMany(Int)
    /// Reading the written entity mapping would give another one.
    case unequal(mapping: String)
  }

  /// The path of the file that was to be written.
  public let path: String
  /// The reasons, those of the mapping first.
  public let causes: [Cause]
}

extension XcodeMappingError: AdvisedError {
  /// The path of the file that was to be written.
  public var place: String? { path }

  /// The reasons, each on a line with its remedy.
  public var cause: String {
    "not written; an .xcmappingmodel cannot hold\n" + causes.map { "\($0)" }.joined(separator: "\n")
  }

  /// Always nil: each reason has its remedy.
  public var advice: Advice? { nil }
}

extension XcodeMappingError.Cause: CustomStringConvertible {
  /// The part, the cause and the remedy.
  public var description: String {
    switch self {
    case .sql(let property): "\(property): SQL; write an expression, or a policy class in the app"
    case .replacement(let name):
      "a replacement of \(name): Core Data calls the class itself; remove <policy class=\"\(name)\"> from the file"
    case .expression(let property, let part): "\(property): \(part); write a policy class in the app"
    case .filterVariable(let mapping, let name):
      "the filter of \(mapping): $\(name); compare only values of the source object"
    case .property(let property, let kind, let version):
      "\(property): \(kind) in \(version), whose format in a mapping model is unknown; make the mapping model in Xcode"
    case .otherHash(let entity, let version):
      "\(entity) of \(version): the model inside would have another version hash; make the mapping model in Xcode"
    case .duplicateName(let name): "a second entity mapping named \(name); rename one of them"
    case .tooMany(let count): "\(count) entity mappings; the file can number at most \(Int16.max)"
    case .unequal(let mapping): "\(mapping): it would be read as another mapping; make the mapping model in Xcode"
    }
  }
}

extension XcodeMappingModel {
  /// The text of the `xcmapping.xml` for a mapping model, with both models inside as the editor saves them.
  ///
  /// The same mapping and models give the same bytes. Parts that Xcode's editor generates are omitted. The file cannot
  /// hold the names of dropped data.
  ///
  /// - Returns: the text. Reading it gives the mapping model and the hashes of both models again.
  /// - Throws: ``XcodeMappingError`` with every part that the file cannot hold.
  public static func text(
    of mapping: MappingModel, from source: MappingModelSnapshot, to destination: MappingModelSnapshot, path: String
  ) throws(XcodeMappingError) -> String {
    var draft = XcodeMappingDraft(mapping, source, destination)
    let archives = [draft.archive(source), draft.archive(destination)]
    if draft.causes.isEmpty, let text = draft.text(archives) { return text }
    throw XcodeMappingError(path: path, causes: draft.causes)
  }
}

/// A mapping model on its way into Xcode's form.
private struct XcodeMappingDraft {
  private var wanted: MappingModel
  private var file: XcodeMappingModel
  private(set) var causes: [XcodeMappingError.Cause] = []

  init(_ mapping: MappingModel, _ source: MappingModelSnapshot, _ destination: MappingModelSnapshot) {
    wanted = mapping
    let start = SourceLocation(file: "", line: 1, column: 1)
    file = XcodeMappingModel(
      path: "", source: source, destination: destination,
      entityMappings: mapping.entityMappings.enumerated().map { Self.bare($0.element, number: $0.offset + 1, start) },
      notes: [])
    if mapping.entityMappings.count > Int(Int16.max) { causes.append(.tooMany(mapping.entityMappings.count)) }
    causes += mapping.policyReplacements.keys.sorted().map { .replacement(of: $0) }
    fill()
  }

  /// The entity mapping with everything left to be generated.
  private static func bare(_ mapping: EntityMapping, number: Int, _ start: SourceLocation) -> XcodeEntityMapping {
    func properties(_ mappings: PropertyMappings) -> [XcodePropertyMapping] {
      guard mapping.destination != nil else { return [] }
      return mappings.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map {
        XcodePropertyMapping(location: start, name: $0.name, generatesExpression: true, userInfo: $0.userInfo)
      }
    }
    let defaultName = EntityMapping.defaultName(source: mapping.source, destination: mapping.destination)
    return XcodeEntityMapping(
      location: start, number: number, name: mapping.name == defaultName ? nil : mapping.name, source: mapping.source,
      destination: mapping.destination, policyClassName: mapping.policyClassName,
      attributeMappings: properties(mapping.attributeMappings),
      relationshipMappings: properties(mapping.relationshipMappings), userInfo: mapping.userInfo)
  }

  /// Writes what Core Data would not generate by itself.
  private mutating func fill() {
    let generated: [EntityMapping]
    do {
      generated = try file.compiled().entityMappings
    } catch {
      if case .mapping(_, .duplicateName(let name, _)) = error { causes.append(.duplicateName(name)) }
      return
    }
    for (position, mapping) in wanted.entityMappings.enumerated() where generated.indices.contains(position) {
      let bare = file.entityMappings[position]
      var (attributes, relationships): ([XcodePropertyMapping], [XcodePropertyMapping]) = ([], [])
      for property in bare.attributeMappings {
        guard let value = value(mapping.attributeMappings, property.name, of: mapping) else { continue }
        let ready = generated[position].attributeMappings[property.name]?.expression
        // An attribute that is listed nowhere is left at its default.
        if value.expression == nil, ready != nil { continue }
        attributes.append(filled(property, value.expression, generated: ready, of: mapping))
      }
      for property in bare.relationshipMappings {
        guard let value = value(mapping.relationshipMappings, property.name, of: mapping) else { continue }
        let ready = generated[position].relationshipMappings[property.name]?.expression
        if let ready, case .relationship(let inferred) = value, let source = inferred.source,
          ready.madeObjects?.sources == .sourceValue([source]),
          let index = mapping.relationshipMappings.firstIndex(where: { $0.name == property.name })
        {
          // The one mapping that makes the objects at the other end, which Core Data finds by itself.
          wanted.entityMappings[position].relationshipMappings[index].value = .expression(ready)
          relationships.append(property)
          continue
        }
        relationships.append(linked(property, value.expression, generated: ready, of: mapping))
      }
      file.entityMappings[position].attributeMappings = attributes
      file.entityMappings[position].relationshipMappings = relationships
      file.entityMappings[position].filter = filter(of: mapping)
    }
  }

  private mutating func value(
    _ mappings: PropertyMappings, _ name: String, of mapping: EntityMapping
  ) -> PropertyMapping.Value? {
    guard let value = mappings[name] else { return nil }
    if case .sql = value {
      causes.append(.sql(of: "\(mapping.destination ?? mapping.name).\(name)"))
      return nil
    }
    return value
  }

  private mutating func filled(
    _ property: XcodePropertyMapping, _ wanted: ValueExpression?, generated: ValueExpression?, of mapping: EntityMapping
  ) -> XcodePropertyMapping {
    guard let wanted, wanted != generated else { return property }
    if let part = ArchivedExpressionWriter.unknownPart(of: wanted) {
      causes.append(.expression(of: "\(mapping.destination ?? mapping.name).\(property.name)", part: part))
    }
    var property = property
    property.expression = .readable(wanted)
    return property
  }

  /// Writes a relationship; most of them need only the fields for the name of a mapping and a key path.
  private mutating func linked(
    _ property: XcodePropertyMapping, _ wanted: ValueExpression?, generated: ValueExpression?, of mapping: EntityMapping
  ) -> XcodePropertyMapping {
    var property = property
    guard let wanted else {
      property.generatesExpression = generated == nil
      return property
    }
    guard wanted != generated, let (name, objects) = wanted.madeObjects, let path = objects.sourcePath else {
      return filled(property, wanted, generated: generated, of: mapping)
    }
    (property.sourceMappingName, property.sourceKeyPath) = (name, path)
    return property
  }

  /// The filter as a fetch request takes it: there the source object lacks a name.
  private mutating func filter(of mapping: EntityMapping) -> String? {
    guard let filter = mapping.filter, filter != .truth(true) else { return nil }
    for name in filter.freeVariables.subtracting(["source"]).sorted() {
      causes.append(.filterVariable(mapping: mapping.name, name: name))
    }
    if filter.namesSourceInSubquery {
      causes.append(.filterVariable(mapping: mapping.name, name: "source in a SUBQUERY"))
    }
    return filter.withoutSource.description
  }

  /// The archive of a model, from which the same hashes are computed.
  mutating func archive(_ snapshot: MappingModelSnapshot) -> Data {
    let data = ElementsWriter.archive(of: snapshot.hierarchy)
    let file = try? ElementsReader.read(data, path: snapshot.versionPath)
    let hashes = file.flatMap { try? VersionHashes(of: EntityHierarchy($0.model)) }?.entities ?? [:]
    for entity in snapshot.model.entities where hashes[entity.name] != snapshot.hashes.entities[entity.name] {
      let unknown = snapshot.hierarchy.lineage(of: entity.name).flatMap { Self.unknownProperties($0, snapshot) }
      let found =
        unknown.isEmpty ? [.otherHash(entity: entity.name, version: snapshot.versionName)] : unknown
      for cause in found where !causes.contains(cause) { causes.append(cause) }
    }
    return data
  }

  /// The properties of an entity that no sample has.
  private static func unknownProperties(
    _ entity: EntityDescription, _ snapshot: MappingModelSnapshot
  ) -> [XcodeMappingError.Cause] {
    func cause(_ name: String, _ kind: String?) -> XcodeMappingError.Cause? {
      kind.map { .property("\(entity.name).\(name)", kind: $0, version: snapshot.versionName) }
    }
    return entity.attributes.filter { !$0.isTransient }.compactMap { attribute in
      let kind: String? =
        if attribute.derivation != nil {
          "a derived attribute"
        } else if attribute.type == .composite {
          "a composite attribute"
        } else if attribute.preservesValueInHistoryOnDeletion {
          "an attribute whose value history keeps after a deletion"
        } else {
          nil
        }
      return cause(attribute.name, kind)
    }
      + entity.relationships.compactMap { cause($0.name, $0.maxCount == .max ? "a relationship without a limit" : nil) }
  }

  /// The text with the archives of both models; nil, with the reasons, when it would not be read as what is wanted.
  mutating func text(_ archives: [Data]) -> String? {
    let text = XcodeMappingText.text(of: file, archives: archives)
    let read = try? XcodeMappingModel(Data(text.utf8), path: "")
    let found = (try? read?.compiled())?.entityMappings ?? []
    let expected = zip(wanted.entityMappings, file.entityMappings).map(expected)
    if found == expected, read?.source.hashes == file.source.hashes, read?.destination.hashes == file.destination.hashes
    {
      return text
    }
    for (position, mapping) in expected.enumerated()
    where !found.indices.contains(position) || found[position] != mapping {
      causes.append(.unequal(mapping: mapping.name))
    }
    return nil
  }

  /// The entity mapping as Xcode's compiler makes it of the file.
  private func expected(_ mapping: EntityMapping, _ written: XcodeEntityMapping) -> EntityMapping {
    func properties(_ names: [XcodePropertyMapping], _ mappings: PropertyMappings) -> PropertyMappings {
      PropertyMappings(
        names.map { property in
          let expression = mappings[property.name].flatMap(\.expression)
          return PropertyMapping(
            name: property.name, value: expression.map { .expression($0) } ?? .unset, userInfo: property.userInfo)
        })
    }
    return EntityMapping(
      name: mapping.name, source: mapping.source, destination: mapping.destination,
      sourceVersionHash: mapping.source.flatMap { file.source.hashes.entities[$0] },
      destinationVersionHash: mapping.destination.flatMap { file.destination.hashes.entities[$0] },
      filter: mapping.filter.flatMap { $0 == .truth(true) ? nil : $0.withoutSource },
      attributeMappings: properties(written.attributeMappings, mapping.attributeMappings),
      relationshipMappings: properties(written.relationshipMappings, mapping.relationshipMappings),
      policyClassName: mapping.policyClassName, userInfo: mapping.userInfo)
  }
}

extension ValueExpression {
  /// The text of the key path field for a variable, or for keys from one; nil for another expression.
  fileprivate var sourcePath: String? {
    switch self {
    case .variable(let name): "$\(name)"
    case .keyPath(let keys, of: .variable(let name)): "$\(([name] + keys).joined(separator: "."))"
    default: nil
    }
  }

  /// True if a condition in a SUBQUERY refers to the filtered object.
  fileprivate var namesSourceInSubquery: Bool {
    if case .subquery(_, _, let condition) = self, condition.freeVariables.contains("source") { return true }
    return parts.contains(where: \.namesSourceInSubquery)
  }
}
