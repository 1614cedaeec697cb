import Foundation

/// A key that objects are sorted by.
public struct RecordSort: Hashable, Sendable {
  /// How texts are ordered.
  public enum TextOrder: String, Hashable, Sendable, CaseIterable {
    /// By their bytes, as `compare:`; an index serves.
    case bytes
    /// Without regard to case, as `caseInsensitiveCompare:`.
    case caseInsensitive
    /// As a list of files shows names, digits as numbers, as `localizedStandardCompare:` does in English.
    case standard
  }

  /// The key path from the object, such as `customer.fullName`.
  public var keyPath: String
  /// True for ascending order, in which missing values come first; in descending order they come last.
  public var isAscending: Bool
  /// How texts are ordered.
  public var textOrder: TextOrder

  /// Creates a sort key.
  public init(_ keyPath: String, isAscending: Bool = true, textOrder: TextOrder = .bytes) {
    (self.keyPath, self.isAscending, self.textOrder) = (keyPath, isAscending, textOrder)
  }
}

extension RecordSort.TextOrder {
  /// The name of the collation; nil for SQLite's own.
  var collation: String? { self == .bytes ? nil : "modelctl_order_\(rawValue)" }

  func compare(_ first: String, _ second: String) -> ComparisonResult {
    switch self {
    case .bytes:
      first.utf8.elementsEqual(second.utf8)
        ? .orderedSame : first.utf8.lexicographicallyPrecedes(second.utf8) ? .orderedAscending : .orderedDescending
    case .caseInsensitive: first.compare(second, options: .caseInsensitive)
    case .standard:
      first.compare(
        second, options: [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering], range: nil,
        locale: Self.locale)
    }
  }

  /// The same locale on all machines, so that CI and a laptop agree.
  private static let locale = Locale(identifier: "en")
}
