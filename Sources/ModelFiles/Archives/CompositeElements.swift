import ModelDescription

/// Reads the elements of archived composite attributes, nested ones included.
struct CompositeElements {
  /// The most elements of one attribute; an archive may refer to one object from many places.
  private static let elementLimit = 20_000
  /// The deepest nesting.
  private static let depthLimit = 32

  private var count = 0
  private var notes: [String] = []

  /// Reads the elements in the order of the archive.
  ///
  /// - Parameters:
  ///   - object: the composite attribute.
  ///   - address: its entity and name.
  ///   - notes: gets one where the elements cannot be read.
  /// - Returns: the elements, none where they cannot be read.
  static func read(_ object: ArchivedObject, of address: String, notes: inout [String]) -> [AttributeDescription] {
    var reading = CompositeElements()
    guard let elements = reading.elements(of: object, inside: address, depth: 1), !elements.isEmpty else {
      notes.append("the elements of \(address) are not read from a compiled model")
      return []
    }
    notes += reading.notes
    return elements
  }

  private mutating func elements(
    of object: ArchivedObject, inside address: String, depth: Int
  ) -> [AttributeDescription]? {
    guard depth <= Self.depthLimit else { return nil }
    var elements: [AttributeDescription] = []
    for element in object["NSCompositeElements"]?.elements ?? [] {
      count += 1
      guard count <= Self.elementLimit, let name = element["NSPropertyName"]?.filledString else { return nil }
      var attribute = CompiledPropertyReader.plainAttribute(element, name: name, of: address, notes: &notes)
      if attribute.type == .composite {
        guard let inner = self.elements(of: element, inside: "\(address).\(name)", depth: depth + 1), !inner.isEmpty
        else { return nil }
        attribute.elements = inner
      }
      elements.append(attribute)
    }
    return elements
  }
}
