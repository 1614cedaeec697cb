import Foundation

/// Where the entities, tables and columns of a layout are, found out when it is first asked for.
///
/// It follows from the layout, so that all are equal.
final class LayoutIndex: Hashable, @unchecked Sendable {
  private let lock = NSLock()
  private var places: LayoutPlaces?

  static func == (first: LayoutIndex, second: LayoutIndex) -> Bool { true }

  func hash(into hasher: inout Hasher) {}

  /// The places in the layout that this belongs to.
  func places(in layout: SQLStoreLayout) -> LayoutPlaces {
    lock.withLock {
      if let places { return places }
      let made = LayoutPlaces(layout)
      places = made
      return made
    }
  }
}
