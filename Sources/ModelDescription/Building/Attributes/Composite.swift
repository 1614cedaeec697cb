/// A composite type in code, declared once and used by attributes with `.composite("Name")`.
public struct Composite: ModelComponent {
  /// The composite type's name.
  public let name: String
  private let scalarValues: ScalarValues
  private let contents: CompositeContents

  /// Describes a composite type.
  ///
  /// - Parameters:
  ///   - name: its name, unique among the composite types of its model.
  ///   - scalarValues: what attributes that do not say whether their values are scalars have.
  ///   - contents: its attributes, which may themselves be composite.
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
