public import MappingModels
import ModelDescription
import VersionHashing

/// Decides what an Xcode mapping model leaves open, as `mapc` does: against the snapshots, not against model files.
struct MappingCompiler {
  /// A mapping with its name in expressions.
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
        notes.append(ModelNote(location: mapping.location, sentence: "an entity mapping without entities is ignored"))
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
      note(mapping.location, "the \(side) model inside the file has no entity \(name)")
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
        note(first.location, "a mapping without a destination entity has property mappings, which have no effect")
      }
      return []
    }
    var compiled: [PropertyMapping] = []
    for property in properties {
      compiled.append(
        PropertyMapping(name: property.name, value: try value(&self, property), userInfo: property.userInfo))
    }
    let sorted = compiled.enumerated().sorted { first, second in
      first.element.name == second.element.name
        ? first.offset < second.offset
        : first.element.name.utf8.lexicographicallyPrecedes(second.element.name.utf8)
    }
    return PropertyMappings(sorted.map(\.element))
  }

  /// The author's expression; nil if there is none.
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
          "the expression of \(address) is the bare key path \(keys.joined(separator: ".")), which does not begin"
            + " with an object; $source.\(keys.joined(separator: ".")) or a text in quotes may be meant")
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
        "\(property.name) is a relationship of the source entity \(entity) and cannot fill an attribute;"
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

  /// A relationship's value: what the author wrote, then what the two fields name, then what is generated.
  mutating func relationship(
    _ property: XcodePropertyMapping, in mapping: XcodeEntityMapping
  ) throws(ModelFileError) -> PropertyMapping.Value {
    if let expression = try written(property, in: mapping) { return .expression(expression) }
    let keyPath = try property.sourceKeyPath.map { text throws(ModelFileError) in try sourceKeyPath(text, property) }
    if let mappingName = property.sourceMappingName {
      return .expression(.objects(madeBy: mappingName, from: keyPath ?? .sourceValue([property.name])))
    }
    guard property.generatesExpression, let entity = mapping.source, let destinationEntity = mapping.destination else {
      return .unset
    }
    guard let objects = keyPath.map({ targetEntity(of: $0, from: entity) }) ?? link(property.name, of: entity) else {
      if keyPath != nil {
        note(
          property.location,
          "the key path of \(property.name) does not lead to a source entity; the relationship is empty"
        )
      }
      return .unset
    }
    let wanted = destination.allRelationships(of: destinationEntity)[property.name]?.property.destinationEntityName
    let below = source.family(of: objects).dropFirst().flatMap { mappingsBySource[$0.name] ?? [] }
    let exact = (mappingsBySource[objects] ?? []).filter { $0.mapping.destination == wanted && wanted != nil }
    if below.isEmpty, exact.count == 1 {
      return .expression(.objects(madeBy: exact[0].name, from: keyPath ?? .sourceValue([property.name])))
    }
    return generated(property, objects: objects, isKeyPath: keyPath != nil, candidates: exact.count + below.count)
  }

  /// The expression that uses every mapping of the relationship's source entity and of its sub-entities.
  private mutating func generated(
    _ property: XcodePropertyMapping, objects: String, isKeyPath: Bool, candidates: Int
  ) -> PropertyMapping.Value {
    if isKeyPath {
      note(
        property.location,
        "\(property.name) has a key path, but no mapping name, and \(candidates) mappings make its objects; the relationship is empty"
      )
      return .unset
    }
    if !source.family(of: objects).contains(where: { mappingsBySource[$0.name] != nil }) {
      note(property.location, "no entity mapping reads \(objects), so \(property.name) is empty")
    }
    return .expression(.objects(madeFromRelationship: property.name))
  }

  private func link(_ name: String, of entity: String) -> String? {
    source.allRelationships(of: entity)[name]?.property.destinationEntityName
  }

  /// The entity that a key path from the source object ends at; collection operators keep the objects.
  private func targetEntity(of expression: ValueExpression, from entity: String) -> String? {
    guard case .keyPath(let keys, of: .variable("source")) = expression else {
      return expression == .variable("source") ? entity : nil
    }
    var current = entity
    for key in keys where !key.hasPrefix("@") {
      guard let next = link(key, of: current) else { return nil }
      current = next
    }
    return current
  }

  /// The field's text is `$source`, or keys after it.
  private func sourceKeyPath(
    _ text: String, _ property: XcodePropertyMapping
  ) throws(ModelFileError) -> ValueExpression {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !parts.contains(where: \.isEmpty), let first = parts.first, first.hasPrefix("$"), first.count > 1 else {
      throw .mapping(location: property.location, finding: .badValue(attribute: "sourcekeypath", text: text))
    }
    let variable = ValueExpression.variable(String(first.dropFirst()))
    return parts.count == 1 ? variable : .keyPath(Array(parts.dropFirst()), of: variable)
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

/// A completely resolved mapping model: a compiled Xcode mapping model, or the content of a `.cdm`.
public struct MappingCompilation: Hashable, Sendable {
  /// The mapping model.
  public var mapping: MappingModel
  /// Notes on guessed and ignored parts, in the order of the mappings.
  public var notes: [ModelNote]
}
