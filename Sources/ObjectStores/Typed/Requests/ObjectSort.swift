public import StoreRows

/// A key that objects are sorted by.
public struct ObjectSort<Object: StoredObject>: Hashable, Sendable {
  /// The key as untyped requests have it.
  public let record: RecordSort

  private init(_ keyPath: String, isAscending: Bool, _ textOrder: RecordSort.TextOrder) {
    record = RecordSort(keyPath, isAscending: isAscending, textOrder: textOrder)
  }

  /// The least first, and what has no value before all others.
  public static func ascending<Value>(
    _ property: KeyPath<Object.Properties, StoredProperty<Value>>, _ textOrder: RecordSort.TextOrder = .bytes
  ) -> ObjectSort {
    ObjectSort(path(property), isAscending: true, textOrder)
  }

  /// The greatest first, and what has no value after all others.
  public static func descending<Value>(
    _ property: KeyPath<Object.Properties, StoredProperty<Value>>, _ textOrder: RecordSort.TextOrder = .bytes
  ) -> ObjectSort {
    ObjectSort(path(property), isAscending: false, textOrder)
  }

  /// The least first, by a key path such as `customer.fullName`.
  public static func ascending(_ keyPath: String, _ textOrder: RecordSort.TextOrder = .bytes) -> ObjectSort {
    ObjectSort(keyPath, isAscending: true, textOrder)
  }

  /// The greatest first, by a key path such as `customer.fullName`.
  public static func descending(_ keyPath: String, _ textOrder: RecordSort.TextOrder = .bytes) -> ObjectSort {
    ObjectSort(keyPath, isAscending: false, textOrder)
  }

  private static func path<Value>(_ property: KeyPath<Object.Properties, StoredProperty<Value>>) -> String {
    Object.Properties(.object)[keyPath: property].path.text
  }
}
