import ModelDescription

/// The fetch of source objects that a compiled entity mapping holds: one entity and the text of a predicate.
///
/// Source: `NSSourceExpression` of compiled mapping models,
/// `FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", …), $manager.sourceContext, NO)`.
package struct SourceFetch: Hashable, Sendable {
  /// The entity whose objects are fetched.
  package var entity: String
  /// The text of the predicate; `TRUEPREDICATE` for all objects.
  package var predicate: String

  private static let selector = "fetchRequestForSourceEntityNamed:predicateString:"

  /// Makes a fetch.
  package init(entity: String, predicate: String) {
    self.entity = entity
    self.predicate = predicate
  }

  /// Takes a fetch out of its expression; nil when the expression is another.
  package init?(_ expression: ValueExpression) {
    guard case .fetch(let request, let context, countsOnly: false) = expression,
      context == Self.context,
      case .invocation(of: .variable("manager"), Self.selector, let arguments) = request, arguments.count == 2,
      case .constant(.string(let entity)) = arguments[0], case .constant(.string(let predicate)) = arguments[1]
    else { return nil }
    self.init(entity: entity, predicate: predicate)
  }

  /// The expression as it is archived.
  package var expression: ValueExpression {
    .fetch(
      request: .invocation(
        of: .variable("manager"), selector: Self.selector,
        arguments: [.constant(.string(entity)), .constant(.string(predicate))]),
      context: Self.context, countsOnly: false)
  }

  private static let context = ValueExpression.keyPath(["sourceContext"], of: .variable("manager"))
}
