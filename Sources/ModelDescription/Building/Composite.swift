/// A composite type in code, declared once and used by attributes with `.composite("Name")`.
public struct Composite: ModelComponent {
  /// The composite type's name.
  public let name: String
  private let scalarValues: ScalarValues
  private let contents: CompositeContents

  /// Describes a composite type.
  ///
  /// - Parameters:
  ///   - scalarValues: the scalar setting of attributes without their own setting.
  ///   - contents: its attributes, which can themselves be composite.
  public init(
    _ name: String, scalarValues: ScalarValues = .whereXcodeDoes, @CompositeBuilder _ contents: () -> CompositeContents
  ) {
    (self.name, self.scalarValues, self.contents) = (name, scalarValues, contents())
  }

  /// Adds the composite type to a model.
  public func add(to model: inout ManagedObjectModel) {
    let elements = contents.components.map { $0.attributeDescription(scalarValues: scalarValues) }
    model.composites.append(CompositeDescription(name: name, elements: elements))
  }
}

/// An attribute that a composite type can contain.
public protocol CompositeComponent: Sendable {
  /// The attribute as a value.
  ///
  /// - Parameter scalarValues: the scalar setting, if the attribute does not have its own setting.
  func attributeDescription(scalarValues: ScalarValues) -> AttributeDescription
}

/// The attributes between the braces of a composite type.
public struct CompositeContents: Sendable {
  let components: [any CompositeComponent]
}

/// Builds the attributes of a composite type.
@resultBuilder
public enum CompositeBuilder {
  /// Takes an attribute.
  public static func buildExpression(_ component: some CompositeComponent) -> CompositeContents {
    CompositeContents(components: [component])
  }

  /// Joins attributes.
  public static func buildBlock(_ parts: CompositeContents...) -> CompositeContents { buildArray(parts) }

  /// Joins the attributes of a loop.
  public static func buildArray(_ parts: [CompositeContents]) -> CompositeContents {
    CompositeContents(components: parts.flatMap(\.components))
  }

  /// Takes the attributes of an `if` without an `else`.
  public static func buildOptional(_ part: CompositeContents?) -> CompositeContents {
    part ?? CompositeContents(components: [])
  }

  /// Takes the first attributes of an `if` with an `else`.
  public static func buildEither(first part: CompositeContents) -> CompositeContents { part }

  /// Takes the second attributes of an `if` with an `else`.
  public static func buildEither(second part: CompositeContents) -> CompositeContents { part }
}
