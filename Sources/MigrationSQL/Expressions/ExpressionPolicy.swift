package import MappingModels

/// What stands behind `$entityPolicy` in the expressions of one entity mapping.
///
/// A call of a function that has no SQL in its place becomes a call of the SQL function
/// ``functionName```(class, selector, result, kinds, argument, …)`, which whoever runs the statement registers:
/// - `class` and `selector` are texts;
/// - `result` is the name of the attribute type that the value is for, such as `Date`, or an empty text when the value
///   is only a part of an expression;
/// - `kinds` is a text with one word for each argument, joined by commas: the name of an attribute type, `Object`,
///   `Objects`, or `Unknown` for what another call of a policy gives;
/// - each argument is in the form the store keeps: a date as seconds since 2001-01-01T00:00:00Z, a UUID as 16 bytes,
///   binary data without the mark of external storage. An object is the text `Entity:Z_PK` of its own entity, several
///   objects are such texts joined by commas, no object is NULL.
///
/// It gives the value in the same form.
package struct ExpressionPolicy: Hashable, Sendable {
  /// The SQL function that calls a policy.
  package static let functionName = "modelctl_policy"

  /// The policy's class.
  package var className: String
  /// What is done in its place, nil when it is there itself.
  package var standIn: PolicyStandIn?

  /// Names a policy.
  package init(className: String, standIn: PolicyStandIn? = nil) {
    self.className = className
    self.standIn = standIn
  }
}
