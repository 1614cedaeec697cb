import Foundation
public import ModelDescription

extension ExpressionTyping {
  /// Checks that an expression is a condition.
  ///
  /// - Throws: ``ExpressionTypeError`` for the first part that is not valid.
  public func checkCondition(_ expression: ValueExpression) throws(ExpressionTypeError) {
    try checkCondition(expression, 0)
  }

  /// Checks that an expression gives values of an attribute.
  ///
  /// Numbers become numbers of every type and Booleans, and lose their fraction if the attribute has none. Any other
  /// value must have the attribute's type.
  ///
  /// - Parameter attribute: the attribute, or the leaf of a composite attribute.
  /// - Returns: the type of the expression.
  /// - Throws: ``ExpressionTypeError`` for the first part that is not valid.
  @discardableResult
  public func check(
    _ expression: ValueExpression, assignedTo attribute: AttributeDescription
  ) throws(ExpressionTypeError) -> ExpressionType {
    let found = try scalar(expression, 0)
    guard Self.isAssignable(found, to: attribute.type) else {
      throw fail(expression, .unassignable(found, to: attribute.type, property: attribute.name))
    }
    if case .constant(let value) = expression, let bounds = attribute.type.bounds, !Self.fits(value, bounds) {
      throw fail(expression, .outOfRange(attribute.type, property: attribute.name))
    }
    return found
  }

  /// True if a number without its fraction is within bounds.
  private static func fits(_ value: AttributeValue, _ bounds: ClosedRange<Int64>) -> Bool {
    let number: Double
    switch value {
    case .integer(let whole): return bounds.contains(whole)
    case .double(let found): number = found
    case .decimal(let found): number = Double(found.description) ?? .nan
    default: return true
    }
    return Int64(exactly: number.rounded(.towardZero)).map(bounds.contains) ?? false
  }

  private static func isAssignable(_ found: ExpressionType, to type: AttributeType) -> Bool {
    switch found {
    case .null, .unknown: return true
    case .truth: return type.isNumeric || type == .boolean
    case .value(let source):
      if source == type { return true }
      if source.isNumeric || source == .boolean { return type.isNumeric || type == .boolean }
      return [source, type] == [.binary, .transformable] || [source, type] == [.transformable, .binary]
    default: return false
    }
  }

  /// Checks that an expression gives objects of a relationship.
  ///
  /// - Throws: ``ExpressionTypeError`` for the first part that is not valid.
  public func check(
    _ expression: ValueExpression, assignedTo relationship: RelationshipDescription
  ) throws(ExpressionTypeError) {
    let found = try type(of: expression)
    switch found {
    case .null, .unknown, .destinationObjects(nil): return
    case .destinationObjects(let made?):
      guard let destination, let target = relationship.destinationEntityName else { return }
      if destination.isEntity(made, kindOf: target) || destination.isEntity(target, kindOf: made) { return }
      throw fail(expression, .noLinks(found, property: relationship.name))
    default: throw fail(expression, .noLinks(found, property: relationship.name))
    }
  }
}

extension AttributeType {
  /// The least and the greatest number of an attribute of the type, nil for other types.
  package var bounds: ClosedRange<Int64>? {
    switch self {
    case .integer16: -0x8000...0x7FFF
    case .integer32: -0x8000_0000...0x7FFF_FFFF
    case .integer64: .min ... .max
    default: nil
    }
  }
}
