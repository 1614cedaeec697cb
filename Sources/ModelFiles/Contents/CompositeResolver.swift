import ModelDescription

/// Gives every composite attribute the elements of its type.
struct CompositeResolver {
  /// The most elements that all composite attributes of a model may have together.
  private static let elementLimit = 20_000

  /// The deepest nesting of composite types.
  private static let depthLimit = 32

  private let composites: [String: CompositeDescription]
  private let record: ContentsRecord
  private let fallback: SourceLocation
  private var count = 0

  static func resolve(_ model: ManagedObjectModel, _ record: ContentsRecord) throws(ModelFileError)
    -> ManagedObjectModel
  {
    guard !model.composites.isEmpty else { return model }
    var resolver = CompositeResolver(model, record)
    var resolved = model
    for position in model.composites.indices {
      let composite = model.composites[position]
      resolved.composites[position].elements = try resolver.resolve(composite.elements, inside: [composite.name])
    }
    for position in model.entities.indices {
      resolved.entities[position].attributes = try resolver.resolve(model.entities[position].attributes, inside: [])
    }
    return resolved
  }

  private init(_ model: ManagedObjectModel, _ record: ContentsRecord) {
    composites = Dictionary(model.composites.map { ($0.name, $0) }) { first, _ in first }
    self.record = record
    fallback = record.locations[.model] ?? SourceLocation(file: "", line: 1, column: 1)
  }

  private mutating func resolve(
    _ attributes: [AttributeDescription], inside path: [String]
  ) throws(ModelFileError) -> [AttributeDescription] {
    var resolved = attributes
    for position in attributes.indices {
      guard attributes[position].type == .composite, let name = attributes[position].compositeName,
        let composite = composites[name]
      else { continue }
      guard !path.contains(name) else {
        throw .compositeCycle(location: record.locations[.composite(name)] ?? fallback, names: path + [name])
      }
      guard path.count < Self.depthLimit else {
        throw .tooLarge(path: fallback.file, what: "the nesting of its composite types", limit: Self.depthLimit)
      }
      count += composite.elements.count
      guard count <= Self.elementLimit else {
        throw .tooLarge(
          path: fallback.file, what: "the number of its composite attributes' elements", limit: Self.elementLimit)
      }
      resolved[position].elements = try resolve(composite.elements, inside: path + [name])
    }
    return resolved
  }
}
