import Foundation

/// The name of what several bundles are merged to, a part for each of them; it is the same in any order.
package struct MergedName: Hashable, Sendable {
  /// What stands between the parts.
  package static let separator = " + "

  /// The parts in an order of their own; the whole name where it has but one.
  package let parts: [String]

  /// Takes a name apart.
  package init(_ text: String) { parts = text.components(separatedBy: Self.separator).sorted() }
}
