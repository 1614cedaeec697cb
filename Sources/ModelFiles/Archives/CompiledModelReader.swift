public import Foundation
import ModelDescription

/// Reads a compiled model: the keyed archive of an `NSManagedObjectModel` in a `.mom` file or a store.
///
/// Fetch request templates and validation predicates are left out; they enter no hash and no table.
public enum CompiledModelReader {
  /// Reads a `.mom` file.
  public static func read(fileAt path: String) throws(ModelFileError) -> ModelFile {
    try read(try FileBytes.read(path), path: path)
  }

  /// Reads an archive's bytes.
  ///
  /// - Returns: the model; an archive does not contain locations.
  public static func read(_ data: Data, path: String) throws(ModelFileError) -> ModelFile {
    guard let root = try KeyedArchive(data, path: path).root, root.isKind(of: "NSManagedObjectModel") else {
      throw .brokenArchive(path: path, reason: "it contains no NSManagedObjectModel")
    }
    return try read(root, path: path)
  }

  static func read(_ root: ArchivedObject, path: String) throws(ModelFileError) -> ModelFile {
    var notes: [String] = []
    var entities: [EntityDescription] = []
    guard let archived = root["NSEntities"], archived.isDictionary else {
      throw .brokenArchive(path: path, reason: "its model has no entities")
    }
    for (name, entity) in archived.entries {
      guard entity.isKind(of: "NSEntityDescription") else {
        throw .brokenArchive(path: path, reason: "its entity \(name) is not an NSEntityDescription")
      }
      entities.append(CompiledEntityReader.entity(entity, name: name, notes: &notes))
    }
    entities.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    let start = SourceLocation(file: path, line: 1, column: 1)
    var model = ManagedObjectModel(
      entities: entities, configurations: configurations(root),
      versionIdentifiers: (root["NSVersionIdentifiers"]?.elements ?? []).compactMap(\.filledString).sorted())
    // A compiled model lists inherited properties again, which counts them more than once.
    try ModelSize.check(model, path: path)
    model.entities = InheritedCopies.dropped(from: entities)
    return ModelFile(model: model, notes: notes.map { ModelNote(location: start, sentence: $0) }, path: path)
  }

  private static func configurations(_ root: ArchivedObject) -> [ModelConfiguration] {
    let archived = root["NSConfigurations"] ?? root["NSEntitiesForConfigurations"]
    return (archived?.entries ?? []).map { name, members in
      let names = members.members.compactMap { $0.string ?? $0["NSEntityName"]?.string }
      return ModelConfiguration(name: name, entityNames: names.sorted())
    }.sorted { $0.name < $1.name }
  }
}

/// Takes out of sub-entities what they only repeat: compiled models list inherited properties again.
enum InheritedCopies {
  static func dropped(from entities: [EntityDescription]) -> [EntityDescription] {
    let byName = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
    return entities.map { entity in
      let ancestors = ancestors(of: entity, byName)
      guard !ancestors.isEmpty else { return entity }
      var own = entity
      own.attributes = without(entity, ancestors, \.attributes, name: \.name)
      own.relationships = without(entity, ancestors, \.relationships, name: \.name)
      own.fetchedProperties = without(entity, ancestors, \.fetchedProperties, name: \.name)
      return own
    }
  }

  /// Drops what equals the nearest ancestor's property of the same name.
  private static func without<Property: Equatable>(
    _ entity: EntityDescription, _ ancestors: [EntityDescription],
    _ properties: KeyPath<EntityDescription, [Property]>, name: KeyPath<Property, String>
  ) -> [Property] {
    var inherited: [String: Property] = [:]
    for property in ancestors.reversed().flatMap({ $0[keyPath: properties] }) {
      inherited[property[keyPath: name]] = property
    }
    return entity[keyPath: properties].filter { inherited[$0[keyPath: name]] != $0 }
  }

  private static func ancestors(
    of entity: EntityDescription, _ byName: [String: EntityDescription]
  ) -> [EntityDescription] {
    var ancestors: [EntityDescription] = []
    var seen: Set<String> = [entity.name]
    var next = entity.superentityName
    while let name = next, seen.insert(name).inserted, let ancestor = byName[name] {
      ancestors.append(ancestor)
      next = ancestor.superentityName
    }
    return ancestors
  }
}

/// Reads an archived `NSEntityDescription`.
enum CompiledEntityReader {
  static func entity(_ object: ArchivedObject, name: String, notes: inout [String]) -> EntityDescription {
    var entity = EntityDescription(name: object["NSEntityName"]?.filledString ?? name)
    let className = object["NSClassNameForEntity"]?.filledString
    entity.className = className == "NSManagedObject" ? nil : className
    entity.superentityName = object["NSSuperentity"]?["NSEntityName"]?.filledString
    entity.isAbstract = object.flag("NSIsAbstract")
    entity.versionHashModifier = object["NSVersionHashModifier"]?.filledString
    let identifier = object["NSRenamingIdentifier"]?.filledString
    entity.renamingIdentifier = identifier == entity.name ? nil : identifier
    entity.userInfo = object["NSUserInfo"]?.textEntries ?? [:]
    entity.uniquenessConstraints = groups(object["NSUniqueTuples"])
    entity.compoundIndexes = groups(object["NSCompoundIndexes"])
    entity.fetchIndexes = (object["NSFetchIndexDescriptions"]?.elements ?? []).compactMap(fetchIndex)
    let properties = (object["NSProperties"]?.entries ?? []).sorted {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
    for (name, property) in properties { read(property, name: name, into: &entity, notes: &notes) }
    return entity
  }

  private static func read(
    _ property: ArchivedObject, name: String, into entity: inout EntityDescription, notes: inout [String]
  ) {
    // The kinds are told apart from the most special class up, because archives list the classes above it too.
    if property.isKind(of: "_NSPropertyDescriptionProxy") { return }
    if property.isKind(of: "NSRelationshipDescription") {
      entity.relationships.append(CompiledPropertyReader.relationship(property, name: name))
    } else if property.isKind(of: "NSFetchedPropertyDescription") {
      let request = property["_NSFetchRequestEntityName"]?.string.map {
        FetchRequestDescription(name: "fetchedPropertyFetchRequest", entityName: $0)
      }
      entity.fetchedProperties.append(
        FetchedPropertyDescription(name: name, isOptional: property.flag("NSIsOptional"), fetchRequest: request))
    } else if property.isKind(of: "NSAttributeDescription") {
      entity.attributes.append(CompiledPropertyReader.attribute(property, name: name, of: entity.name, notes: &notes))
    } else {
      notes.append("\(entity.name).\(name) is of the unknown kind \(property.classNames.first ?? "?") and is ignored")
    }
  }

  private static func groups(_ object: ArchivedObject?) -> [[String]] {
    (object?.elements ?? []).map { group in
      group.elements.compactMap { $0.string ?? $0["NSPropertyName"]?.string }
    }
  }

  private static func fetchIndex(_ object: ArchivedObject) -> FetchIndexDescription? {
    guard let name = object["NSIndexName"]?.string else { return nil }
    let elements: [FetchIndexDescription.Element] = (object["NSIndexElements"]?.elements ?? []).compactMap { element in
      let property = element["NSPropertyName"]?.filledString
      let expression = element["NSExpression"].flatMap { ExpressionFormat.text(of: $0) }
      guard
        let subject = property.map(FetchIndexDescription.Element.Subject.property)
          ?? expression.map(FetchIndexDescription.Element.Subject.expression)
      else { return nil }
      return .init(
        subject: subject, kind: element["NSFetchIndexElementType"]?.value.integer == 1 ? .rTree : .binary,
        isAscending: element["NSAscending"]?.value.boolean ?? true)
    }
    return FetchIndexDescription(name: name, elements: elements)
  }
}
