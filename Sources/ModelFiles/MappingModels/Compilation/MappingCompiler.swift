import MappingModels
import ModelDescription
import VersionHashing

/// Decides what an Xcode mapping model leaves open, as `mapc` does: against the snapshots, not against model files.
struct MappingCompiler {
  /// A mapping with the name that expressions know it by.
  struct Named {
    var name: String
    var mapping: XcodeEntityMapping
  }

  let file: XcodeMappingModel
  let source: EntityHierarchy
  let destination: EntityHierarchy
  let mappings: [Named]
  /// The mappings by the entity they read.
  let mappingsBySource: [String: [Named]]
  private var notes: [ModelNote] = []

  init(_ file: XcodeMappingModel) throws(ModelFileError) {
    self.file = file
    source = file.source.hierarchy
    destination = file.destination.hierarchy
    var mappings: [Named] = []
    var places: [String: SourceLocation] = [:]
    for mapping in file.entityMappings {
      guard let name = Self.name(of: mapping) else {
        notes.append(ModelNote(location: mapping.location, sentence: "an entity mapping without entities is left out"))
        continue
      }
      if let first = places.updateValue(mapping.location, forKey: name) {
        throw .mapping(location: mapping.location, finding: .duplicateName(name, first: first))
      }
      mappings.append(Named(name: name, mapping: mapping))
    }
    self.mappings = mappings
    mappingsBySource = Dictionary(grouping: mappings) { $0.mapping.source ?? "" }
  }

  static func name(of mapping: XcodeEntityMapping) -> String? {
    guard mapping.source != nil || mapping.destination != nil else { return nil }
    if let name = mapping.name { return name }
    guard let source = mapping.source, let destination = mapping.destination else {
      return mapping.destination ?? mapping.source
    }
    return "\(source)To\(destination)"
  }

  mutating func note(_ location: SourceLocation, _ sentence: String) {
    notes.append(ModelNote(location: location, sentence: sentence))
  }

  mutating func compile() throws(ModelFileError) -> MappingCompilation {
    var compiled: [EntityMapping] = []
    for named in mappings { compiled.append(try entityMapping(named)) }
    noteUncoveredEntities()
    return MappingCompilation(mapping: MappingModel(entityMappings: compiled), notes: notes)
  }

  private mutating func entityMapping(_ named: Named) throws(ModelFileError) -> EntityMapping {
    let mapping = named.mapping
    for (name, snapshot, side) in [
      (mapping.source, file.source, "source"), (mapping.destination, file.destination, "destination"),
    ] {
      guard let name, snapshot.hashes.entities[name] == nil else { continue }
      note(mapping.location, "the \(side) model that the file carries has no entity \(name)")
    }
    return EntityMapping(
      name: named.name,
      kind: kind(of: mapping),
      source: mapping.source,
      destination: mapping.destination,
      sourceVersionHash: mapping.source.flatMap { file.source.hashes.entities[$0] },
      destinationVersionHash: mapping.destination.flatMap { file.destination.hashes.entities[$0] },
      filter: try filter(of: mapping),
      attributeMappings: try propertyMappings(mapping.attributeMappings, in: mapping) {
        (compiler, property) throws(ModelFileError) in try compiler.attribute(property, in: mapping)
      },
      relationshipMappings: try propertyMappings(mapping.relationshipMappings, in: mapping) {
        (compiler, property) throws(ModelFileError) in try compiler.relationship(property, in: mapping)
      },
      policyClassName: mapping.policyClassName,
      userInfo: mapping.userInfo)
  }

  /// Files keep `Undefined`; a pair of entities is called a copy even where their hashes differ.
  private func kind(of mapping: XcodeEntityMapping) -> EntityMapping.Kind {
    if mapping.policyClassName != nil { return .custom }
    if mapping.source == nil { return .add }
    return mapping.destination == nil ? .remove : .copy
  }

  private mutating func propertyMappings(
    _ properties: [XcodePropertyMapping], in mapping: XcodeEntityMapping,
    value: (inout MappingCompiler, XcodePropertyMapping) throws(ModelFileError) -> PropertyMapping.Value
  ) throws(ModelFileError) -> PropertyMappings {
    guard mapping.destination != nil else {
      if let first = properties.first {
        note(first.location, "a mapping without a destination entity has property mappings, which mean nothing")
      }
      return []
    }
    var compiled: [PropertyMapping] = []
    for property in properties {
      compiled.append(
        PropertyMapping(
          name: property.name, value: try value(&self, property), userInfo: property.userInfo))
    }
    let sorted = compiled.enumerated().sorted { first, second in
      first.element.name == second.element.name
        ? first.offset < second.offset
        : first.element.name.utf8.lexicographicallyPrecedes(second.element.name.utf8)
    }
    return PropertyMappings(sorted.map(\.element))
  }

  /// The author's expression, nil when there is none.
  mutating func written(
    _ property: XcodePropertyMapping, in mapping: XcodeEntityMapping
  ) throws(ModelFileError) -> ValueExpression? {
    let address = "\(mapping.destination ?? "?").\(property.name)"
    switch property.expression {
    case nil: return nil
    case .unreadable(let reason):
      throw .mapping(location: property.location, finding: .unreadableExpression(of: address, reason: reason))
    case .readable(let expression):
      if case .keyPath(let keys, of: .selfObject) = expression {
        note(
          property.location,
          "the expression of \(address) is the bare key path \(keys.joined(separator: ".")), which has no object to"
            + " start from; $source.\(keys.joined(separator: ".")) or a text in quotes may be meant")
      }
      return expression
    }
  }

  private mutating func attribute(
    _ property: XcodePropertyMapping, in mapping: XcodeEntityMapping
  ) throws(ModelFileError) -> PropertyMapping.Value {
    if let expression = try written(property, in: mapping) { return .expression(expression) }
    guard let entity = mapping.source else { return .unset }
    if source.allAttributes(of: entity)[property.name] != nil { return .expression(.sourceValue([property.name])) }
    if source.allRelationships(of: entity)[property.name] != nil {
      note(
        property.location,
        "\(property.name) is a relationship of the source entity \(entity) and fills no attribute;"
          + " the attribute gets its default")
    }
    return .unset
  }

  private mutating func noteUncoveredEntities() {
    let mapped = Set(mappings.compactMap(\.mapping.source))
    for entity in source.numberedEntities where !entity.isAbstract && !mapped.contains(entity.name) {
      let remains = destination.entity(named: entity.name) != nil
      note(
        file.source.location,
        "no entity mapping reads \(entity.name): its objects are not carried over"
          + (remains ? ", though the destination has this entity too" : ""))
    }
  }
}

extension MappingCompiler {
  /// Which objects are read: the filter predicate, or the one inside an explicit source expression.
  func filter(of mapping: XcodeEntityMapping) throws(ModelFileError) -> ValueExpression? {
    var text = mapping.filter
    switch mapping.sourceExpression {
    case nil: break
    case .unreadable(let reason):
      throw .mapping(
        location: mapping.location,
        finding: .unreadableExpression(of: mapping.source ?? mapping.destination ?? "?", reason: reason))
    case .readable(let expression):
      guard let fetch = SourceFetch(expression), fetch.entity == mapping.source else {
        throw .mapping(location: mapping.location, finding: .unsupportedSourceExpression)
      }
      text = fetch.predicate
    }
    guard let text else { return nil }
    return try FilterText.filter(text, location: mapping.location)
  }
}

/// Reads the text of the predicate that chooses source objects.
enum FilterText {
  static func filter(_ text: String, location: SourceLocation) throws(ModelFileError) -> ValueExpression? {
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    do {
      let filter = try ValueExpression(parsing: text)
      return filter == .truth(true) ? nil : filter
    } catch {
      throw .mapping(location: location, finding: .unreadableFilter(text, reason: error))
    }
  }
}
