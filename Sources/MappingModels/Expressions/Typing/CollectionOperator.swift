/// A collection operator of a key path.
package enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
  case count = "@count"
  case sum = "@sum"
  case average = "@avg"
  case minimum = "@min"
  case maximum = "@max"
  case distinctUnionOfObjects = "@distinctUnionOfObjects"
  case unionOfObjects = "@unionOfObjects"
  case distinctUnionOfSets = "@distinctUnionOfSets"
  case unionOfSets = "@unionOfSets"
  case distinctUnionOfArrays = "@distinctUnionOfArrays"
  case unionOfArrays = "@unionOfArrays"

  /// True for what makes one value of many.
  package var isAggregate: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum: true
    default: false
    }
  }

  /// True for a union whose members come once each.
  package var isDistinct: Bool {
    switch self {
    case .distinctUnionOfObjects, .distinctUnionOfSets, .distinctUnionOfArrays: true
    default: false
    }
  }

  /// True for a union of collections.
  package var flattens: Bool {
    switch self {
    case .distinctUnionOfSets, .unionOfSets, .distinctUnionOfArrays, .unionOfArrays: true
    default: false
    }
  }
}
