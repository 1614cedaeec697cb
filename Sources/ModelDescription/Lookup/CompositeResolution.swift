/// A model whose composite attributes have the elements of their types, as far as possible.
///
/// An attribute with an unknown composite type has no elements. Types that contain each other in a cycle are not repeated.
package struct CompositeResolution {
  /// The reason why the elements of an attribute are left out.
  package enum NestingError: Error, Hashable, Sendable {
    /// Composite types contain each other; the names are in order, with the first name again at the end.
    case cycle(names: [String])
    /// They are nested deeper than the limit.
    case tooDeep(limit: Int)
    /// All composite attributes together have more elements than the limit.
    case tooMany(limit: Int)
  }

  /// The maximum number of elements of all composite attributes of a model together.
  private static let elementLimit = 20_000

  /// The deepest nesting of composite types.
  private static let depthLimit = 32

  /// The model with the elements.
  package private(set) var model: ManagedObjectModel
  /// The first error; nil if all attributes were resolved.
  package private(set) var error: NestingError?
  private let composites: [String: CompositeDescription]
  private var count = 0

  package init(_ model: ManagedObjectModel) {
    self.model = model
    composites = Dictionary(model.composites.map { ($0.name, $0) }) { first, _ in first }
    guard !composites.isEmpty else { return }
    for position in model.composites.indices {
      let composite = model.composites[position]
      self.model.composites[position].elements = resolve(composite.elements, inside: [composite.name])
    }
    for position in model.entities.indices {
      self.model.entities[position].attributes = resolve(model.entities[position].attributes, inside: [])
    }
  }

  private mutating func resolve(
    _ attributes: [AttributeDescription], inside path: [String]
  ) -> [AttributeDescription] {
    var resolved = attributes
    for position in attributes.indices {
      guard attributes[position].type == .composite, let name = attributes[position].compositeName,
        let composite = composites[name]
      else { continue }
      guard let elements = elements(of: composite, inside: path) else { continue }
      resolved[position].elements = elements
    }
    return resolved
  }

  private mutating func elements(
    of composite: CompositeDescription, inside path: [String]
  ) -> [AttributeDescription]? {
    guard !path.contains(composite.name) else { return fail(.cycle(names: path + [composite.name])) }
    guard path.count < Self.depthLimit else { return fail(.tooDeep(limit: Self.depthLimit)) }
    count += composite.elements.count
    guard count <= Self.elementLimit else { return fail(.tooMany(limit: Self.elementLimit)) }
    return resolve(composite.elements, inside: path + [composite.name])
  }

  private mutating func fail(_ error: NestingError) -> [AttributeDescription]? {
    self.error = self.error ?? error
    return nil
  }
}
