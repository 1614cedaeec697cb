import MappingModels

/// The source objects that a look-up asks for, and the mappings that may have carried them.
struct LinkReading {
  /// The position of the mapping whose expression it is.
  let mapping: Int
  /// The positions of the mappings whose objects are looked up.
  let found: Set<Int>
  /// What leads to the source objects.
  let objects: ValueExpression

  /// True when they are all objects of one relationship, and not some that are chosen among them.
  var isWhole: Bool {
    switch objects {
    case .keyPath(let path, of: .variable("source")), .keyPath(let path, of: .selfObject): path.count == 1
    default: false
    }
  }

  /// The source relationships among whose objects they may be.
  var relationships: Set<String> {
    var paths = CarriedPaths()
    paths.add(objects)
    return paths.wholeProperties
  }
}
