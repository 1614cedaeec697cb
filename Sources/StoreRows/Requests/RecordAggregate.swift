public import ModelDescription

/// A value that is computed from many objects.
public struct RecordAggregate: Hashable, Sendable {
  /// The function of an aggregate.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    /// How many objects there are, or how many have a value.
    case count
    /// The sum of numbers; 0 if there are no numbers.
    case sum
    /// The average of the existing numbers; no value if there are no numbers.
    case average
    /// The minimum number, date or text (texts by their bytes); no value if there are no values.
    case minimum
    /// The greatest number, date or text.
    case maximum
  }

  /// The function.
  public let function: Function
  /// The key path from the object; nil for the number of objects.
  public let keyPath: String?

  private init(_ function: Function, _ keyPath: String?) { (self.function, self.keyPath) = (function, keyPath) }

  /// The number of objects.
  public static let count = RecordAggregate(.count, nil)

  /// The number of objects that have a value.
  public static func count(_ keyPath: String) -> RecordAggregate { RecordAggregate(.count, keyPath) }

  /// The sum of numbers: a whole number for whole numbers, exact for exact numbers.
  public static func sum(_ keyPath: String) -> RecordAggregate { RecordAggregate(.sum, keyPath) }

  /// The average of numbers; objects without a number do not count.
  public static func average(_ keyPath: String) -> RecordAggregate { RecordAggregate(.average, keyPath) }

  /// The least of numbers, dates or texts.
  public static func minimum(_ keyPath: String) -> RecordAggregate { RecordAggregate(.minimum, keyPath) }

  /// The greatest of numbers, dates or texts.
  public static func maximum(_ keyPath: String) -> RecordAggregate { RecordAggregate(.maximum, keyPath) }
}

/// A group of objects with the same values, and the aggregates of the group.
public struct RecordGroup: Hashable, Sendable {
  /// The values that the objects have in common, in the order of the key paths.
  public let keys: [RecordValue]
  /// The values of the aggregates, in their order.
  public let values: [RecordValue]
}

/// An error if an aggregate lacks a value.
public enum RecordAggregateError: Error, Hashable, Sendable {
  /// A sum of whole numbers exceeds 64 bits.
  case overflow(entity: String)
  /// A column has values that are not valid for its type.
  case value(String, entity: String)
}

extension RecordAggregateError: AdvisedError {
  /// The entity.
  public var place: String? {
    switch self {
    case .overflow(let entity), .value(_, let entity): entity
    }
  }

  /// The cause as a sentence without the entity.
  public var cause: String {
    switch self {
    case .overflow: "a sum exceeds 64 bits"
    case .value(let keyPath, _): "\(keyPath) has stored values that are not valid for its type"
    }
  }

  /// The next step to try.
  public var advice: Advice? {
    switch self {
    case .overflow: "select fewer objects, or use the average"
    case .value: "verify the store to list these values"
    }
  }
}
