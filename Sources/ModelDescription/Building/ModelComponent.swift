/// A part of a model in code: an entity, a composite type, a configuration or a fetch request template.
public protocol ModelComponent: Sendable {
  /// Adds the part to the model, after the parts above it.
  func add(to model: inout ManagedObjectModel)
}

/// The contents of a model in code.
public struct ModelContents: Sendable {
  let components: [any ModelComponent]

  init(components: [any ModelComponent]) { self.components = components }

  /// Groups parts, such as those that several models have in common.
  public init(@ModelBuilder _ contents: () -> ModelContents) { self = contents() }
}

/// Builds the parts of a model; `if`, `switch`, `for` and optional parts work as in any Swift code.
@resultBuilder
public enum ModelBuilder {
  /// Takes a part of the model.
  public static func buildExpression(_ component: some ModelComponent) -> ModelContents {
    ModelContents(components: [component])
  }

  /// Takes the entity that a type describes.
  public static func buildExpression<Described: EntityDescribing>(_ type: Described.Type) -> ModelContents {
    ModelContents(components: [DescribedEntity<Described>()])
  }

  /// Takes a group of parts.
  public static func buildExpression(_ contents: ModelContents) -> ModelContents { contents }

  /// Joins parts.
  public static func buildBlock(_ parts: ModelContents...) -> ModelContents { buildArray(parts) }

  /// Joins the parts of a loop.
  public static func buildArray(_ parts: [ModelContents]) -> ModelContents {
    ModelContents(components: parts.flatMap(\.components))
  }

  /// Takes the part of an `if` without an `else`.
  public static func buildOptional(_ part: ModelContents?) -> ModelContents { part ?? ModelContents(components: []) }

  /// Takes the first part of an `if` with an `else`.
  public static func buildEither(first part: ModelContents) -> ModelContents { part }

  /// Takes the second part of an `if` with an `else`.
  public static func buildEither(second part: ModelContents) -> ModelContents { part }

  /// Takes a part that only some platforms have.
  public static func buildLimitedAvailability(_ part: ModelContents) -> ModelContents { part }
}

extension ManagedObjectModel {
  /// Makes a model from a description in Swift.
  ///
  /// ```swift
  /// let model = ManagedObjectModel {
  ///   Entity("Order") {
  ///     Attribute("number", .integer64, default: 0)
  ///     Relationship("rows", toMany: "RowOfOrder", inverse: "order", deleteRule: .cascade)
  ///   }
  ///   Entity("RowOfOrder") {
  ///     Attribute("quantity", .double, default: 1)
  ///     Relationship("order", toOne: "Order", inverse: "rows")
  ///   }
  /// }
  /// ```
  ///
  /// The value and its hashes are equal to those of the same model in XML. This initializer does not check the model:
  /// ``EntityHierarchy`` refuses a model whose entities do not form a hierarchy, and the rules of `modelctl check` find
  /// other errors, such as a relationship to an unknown entity.
  ///
  /// - Parameters:
  ///   - versionIdentifiers: your own version identifiers; they are not hashed.
  ///   - contents: entities, composite types, configurations and fetch request templates, in any order.
  public init(versionIdentifiers: [String] = [], @ModelBuilder _ contents: () -> ModelContents) {
    self.init(entities: [], versionIdentifiers: versionIdentifiers)
    for component in contents().components { component.add(to: &self) }
    self = CompositeResolution(self).model
  }
}

/// A configuration in code: a named subset of the model's entities.
public struct Configuration: ModelComponent {
  private let name: String
  private let members: EntityNames

  /// Describes a configuration.
  ///
  /// - Parameter members: the entities, by name or by the type that describes them.
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

/// Builds lists of names of entities.
@resultBuilder
public enum EntityNamesBuilder {
  /// Takes a name.
  public static func buildExpression(_ name: String) -> EntityNames { EntityNames(references: [EntityReference(name)]) }

  /// Takes the name of the entity that a type describes.
  public static func buildExpression<Described: EntityDescribing>(_ type: Described.Type) -> EntityNames {
    EntityNames(references: [EntityReference(type)])
  }

  /// Joins names.
  public static func buildBlock(_ names: EntityNames...) -> EntityNames { buildArray(names) }

  /// Joins the names of a loop.
  public static func buildArray(_ names: [EntityNames]) -> EntityNames {
    EntityNames(references: names.flatMap(\.references))
  }

  /// Takes the names of an `if` without an `else`.
  public static func buildOptional(_ names: EntityNames?) -> EntityNames { names ?? EntityNames(references: []) }

  /// Takes the first names of an `if` with an `else`.
  public static func buildEither(first names: EntityNames) -> EntityNames { names }

  /// Takes the second names of an `if` with an `else`.
  public static func buildEither(second names: EntityNames) -> EntityNames { names }
}
