/// Something that an entity is made of in code: a property, an index, a constraint.
public protocol EntityComponent: Sendable {
  /// Adds it to the entity, after what stands above it.
  func add(to draft: inout EntityDraft)
}

/// An entity while its parts are put together.
public struct EntityDraft: Sendable {
  /// The entity so far.
  public var entity: EntityDescription
  /// What attributes that do not say whether their values are scalars have.
  public let scalarValues: ScalarValues
  /// True when properties that do not say whether they are syncable are.
  public let propertiesAreSyncable: Bool
}

/// What stands between the braces of an entity.
public struct EntityContents: Sendable {
  let components: [any EntityComponent]

  init(components: [any EntityComponent]) { self.components = components }

  /// Groups parts, such as those that several entities have in common.
  public init(@EntityBuilder _ contents: () -> EntityContents) { self = contents() }
}

extension EntityContents: EntityComponent {
  /// Adds every part in order.
  public func add(to draft: inout EntityDraft) {
    for component in components { component.add(to: &draft) }
  }
}

/// Puts the parts of an entity together; `if`, `switch`, `for` and optional parts work as in any Swift code.
@resultBuilder
public enum EntityBuilder {
  /// Takes a part of the entity.
  public static func buildExpression(_ component: some EntityComponent) -> EntityContents {
    EntityContents(components: [component])
  }

  /// Puts parts one after the other.
  public static func buildBlock(_ parts: EntityContents...) -> EntityContents { buildArray(parts) }

  /// Puts the parts of a loop one after the other.
  public static func buildArray(_ parts: [EntityContents]) -> EntityContents {
    EntityContents(components: parts.flatMap(\.components))
  }

  /// Takes the part of an `if` without an `else`.
  public static func buildOptional(_ part: EntityContents?) -> EntityContents { part ?? EntityContents(components: []) }

  /// Takes the first part of an `if` with an `else`.
  public static func buildEither(first part: EntityContents) -> EntityContents { part }

  /// Takes the other part of an `if` with an `else`.
  public static func buildEither(second part: EntityContents) -> EntityContents { part }

  /// Takes a part that only some platforms have.
  public static func buildLimitedAvailability(_ part: EntityContents) -> EntityContents { part }
}
