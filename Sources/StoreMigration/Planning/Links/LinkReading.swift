import MappingModels

/// The source objects that a look-up asks for, and the mappings that may have carried them.
struct LinkReading {
  /// The position of the mapping whose expression it is.
  let mapping: Int
  /// The positions of the mappings whose objects are looked up.
  let found: Set<Int>
  /// What leads to the source objects.
  let objects: ValueExpression

  /// The source relationship that leads to the objects, nil when they are not those of one relationship.
  var relationship: String? {
    switch objects {
    case .keyPath(let path, of: .variable("source")), .keyPath(let path, of: .selfObject):
      path.count == 1 ? path.first : nil
    default: nil
    }
  }
}
