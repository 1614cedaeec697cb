/// A result that contradicts itself, such as a model that differs from itself.
package struct FuzzFinding: Error, CustomStringConvertible {
  /// A contradiction.
  package let description: String

  init(_ description: String) { self.description = description }

  static func expect(_ isSo: Bool, _ description: @autoclosure () -> String) throws(FuzzFinding) {
    guard isSo else { throw FuzzFinding(description()) }
  }
}
