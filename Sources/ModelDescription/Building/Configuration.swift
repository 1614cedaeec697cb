/// A configuration in code: a named subset of the model's entities.
public struct Configuration: ModelComponent {
  private let name: String
  private let members: EntityNames

  /// Describes a configuration.
  ///
  /// - Parameters:
  ///   - name: the configuration's name.
  ///   - members: the entities, by name or by the type that describes them.
  public init(_ name: String, @EntityNamesBuilder _ members: () -> EntityNames) {
    self.name = name
    self.members = members()
  }

  /// Adds the configuration to a model.
  public func add(to model: inout ManagedObjectModel) {
    model.configurations.append(ModelConfiguration(name: name, entityNames: members.references.map(\.name)))
  }
}

/// Names of entities.
public struct EntityNames: Sendable {
  let references: [EntityReference]
}

/// Puts names of entities together.
@resultBuilder
public enum EntityNamesBuilder {
  /// Takes a name.
  public static func buildExpression(_ name: String) -> EntityNames { EntityNames(references: [EntityReference(name)]) }

  /// Takes the name of the entity that a type describes.
  public static func buildExpression<Described: EntityDescribing>(_ type: Described.Type) -> EntityNames {
    EntityNames(references: [EntityReference(type)])
  }

  /// Puts names one after the other.
  public static func buildBlock(_ names: EntityNames...) -> EntityNames { buildArray(names) }

  /// Puts the names of a loop one after the other.
  public static func buildArray(_ names: [EntityNames]) -> EntityNames {
    EntityNames(references: names.flatMap(\.references))
  }

  /// Takes the names of an `if` without an `else`.
  public static func buildOptional(_ names: EntityNames?) -> EntityNames { names ?? EntityNames(references: []) }

  /// Takes the first names of an `if` with an `else`.
  public static func buildEither(first names: EntityNames) -> EntityNames { names }

  /// Takes the other names of an `if` with an `else`.
  public static func buildEither(second names: EntityNames) -> EntityNames { names }
}
