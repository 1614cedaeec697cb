public import MappingModels
import MigrationSQL
package import ModelDescription

/// A request for objects of a store, with their order and properties.
public struct RecordRequest: Hashable, Sendable {
  /// The entity.
  public var entity: String
  /// True when objects of the entities below it count too.
  public var includesSubentities = true
  /// The condition for an object; nil for all objects.
  ///
  /// Objects for which it is unknown are excluded.
  public var predicate: ValueExpression? { didSet { if predicate != oldValue { text = nil } } }
  /// The text that the predicate was read from.
  private(set) var text: ConditionText?
  /// The sort keys; objects with equal values are sorted by key.
  public var sort: [RecordSort] = []
  /// The maximum number of objects; nil for all.
  public var limit: Int?
  /// How many objects are left out at the beginning.
  public var offset = 0
  /// The attributes and to-one relationships to read; nil for all stored ones.
  public var properties: [String]?

  /// Creates a request for all objects of an entity.
  public init(_ entity: String) { self.entity = entity }

  /// Creates a request for the objects of an entity that meet a predicate.
  ///
  /// ```swift
  /// try RecordRequest("Order", where: "date > %@ AND %K CONTAINS[cd] %@", limit, "customer.name", "anna")
  /// ```
  ///
  /// - Parameter arguments: the values of each `%@`, and a text with the key path of each `%K`; use a list for `IN` and
  ///   `BETWEEN`.
  /// - Throws: ``RecordRequestError/syntax(_:text:)`` with the offset in the text, ``RecordRequestError/argument(_:)``.
  public init(
    _ entity: String, where text: String?, _ arguments: any PredicateArgument...
  ) throws(RecordRequestError) {
    try self.init(entity, where: text, arguments: arguments)
  }

  /// The same with arguments that were gathered.
  public init(_ entity: String, where text: String?, arguments: [any PredicateArgument]) throws(RecordRequestError) {
    self.entity = entity
    var values: [ValueExpression] = []
    for (offset, argument) in arguments.enumerated() {
      guard let value = argument.predicateExpression else { throw .argument(offset + 1) }
      values.append(value)
    }
    guard let text else { return }
    let condition = ConditionText(text, arguments: values)
    do throws(ExpressionSyntaxError) {
      replace(predicate: try condition.expression(), by: condition)
    } catch {
      throw .syntax(error, text: text)
    }
  }

  mutating func replace(predicate: ValueExpression, by text: ConditionText) {
    (self.predicate, self.text) = (predicate, text)
  }

  /// Runs a part of the planning, and adds the offset in the predicate's text to its errors.
  package func asking<Answer>(
    _ part: String, isPredicate: Bool = false, in hierarchy: EntityHierarchy, _ ask: () throws -> Answer
  ) throws(RecordRequestError) -> Answer {
    do {
      return try ask()
    } catch let error as ExpressionTypeError {
      let written = isPredicate ? text : nil
      let typing = ExpressionTyping(source: hierarchy, entity: entity, role: .filter)
      throw .meaning(error, text: written?.text ?? part, offset: written?.offset(of: error, by: typing))
    } catch {
      throw .notAskable(text: part, .expression(ExpressionError(error)))
    }
  }
}
