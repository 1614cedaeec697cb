public import Foundation
import ModelDescription

/// Reads a compiled model: the keyed archive of an `NSManagedObjectModel` in a `.mom` file or a store.
///
/// Fetch request templates and validation predicates are left out; they enter no hash and no table.
public enum CompiledModelReader {
  /// Reads a `.mom` file.
  ///
  /// - Throws: ``ModelFileError``.
  public static func read(fileAt path: String) throws(ModelFileError) -> ModelFile {
    try read(try FileBytes.read(path), path: path)
  }

  /// Reads an archive's bytes.
  ///
  /// - Parameters:
  ///   - data: the archive, a binary property list.
  ///   - path: the path that errors name.
  /// - Returns: the model; an archive has no places.
  /// - Throws: ``ModelFileError``.
  public static func read(_ data: Data, path: String) throws(ModelFileError) -> ModelFile {
    guard let root = try KeyedArchive(data, path: path).root, root.isKind(of: "NSManagedObjectModel") else {
      throw .brokenArchive(path: path, reason: "it archives no NSManagedObjectModel")
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
        throw .brokenArchive(path: path, reason: "its entity \(name) is no NSEntityDescription")
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
