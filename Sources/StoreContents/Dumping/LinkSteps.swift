import ModelDescription
import StoreRows

/// The links of a to-many relationship, read beside the objects that have them, in the order of their keys.
final class LinkSteps {
  private let steps: RowSteps
  /// The key that the link has which comes next; nil at the end.
  private var next: Int64?
  private var isBegun = false

  init(_ steps: RowSteps) { self.steps = steps }

  /// Takes the links of an object; keys are asked for in ascending order.
  ///
  /// - Parameters:
  ///   - key: the object's key.
  ///   - body: takes the key and the entity number of each object at the other end.
  /// - Throws: `DatabaseError`, and what the body throws.
  func forEach(of key: Int64, _ body: (Int64, Int64?) throws -> Void) throws {
    if !isBegun { try step() }
    while let near = next, near < key { try step() }
    while next == key {
      if let far = steps.row.integer(1) { try body(far, steps.row.integer(2)) }
      try step()
    }
  }

  private func step() throws {
    isBegun = true
    next = nil
    // What is no number is no link.
    while next == nil, try steps.next() { next = steps.row.integer(0) }
  }
}
