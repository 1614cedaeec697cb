/// Writes an archived `NSExpression` the way its `description` does, which is what enters a derived attribute's hash.
enum ExpressionFormat {
  private static let depthLimit = 32

  /// The expression's text, nil for a form that is not known.
  static func text(of object: ArchivedObject) -> String? { text(of: object, depth: 0) }

  private static func text(of object: ArchivedObject, depth: Int) -> String? {
    guard depth < depthLimit else { return nil }
    switch object["NSExpressionType"]?.value.integer {
    case 0: return constant(object["NSConstantValue"])
    case 1: return "SELF"
    case 2: return object["NSVariable"]?.string.map { "$\($0)" }
    case 3: return keyPath(object, depth: depth)
    case 4: return function(object, depth: depth)
    case 10: return object["NSKeyPath"]?.string
    default: return nil
    }
  }

  private static func constant(_ value: ArchivedObject?) -> String? {
    guard let value else { return "nil" }
    if let text = value.string { return "\"\(text)\"" }
    if let number = value.value.integer { return String(number) }
    return value.value.real.map { "\($0)" }
  }

  private static func keyPath(_ object: ArchivedObject, depth: Int) -> String? {
    guard let argument = object["NSArguments"]?.elements.first, let path = text(of: argument, depth: depth + 1),
      let operand = object["NSOperand"].flatMap({ text(of: $0, depth: depth + 1) })
    else { return nil }
    return operand == "SELF" ? path : "\(operand).\(path)"
  }

  /// A built-in function has the class `_NSPredicateUtilities` as its operand.
  private static func function(_ object: ArchivedObject, depth: Int) -> String? {
    guard let selector = object["NSSelectorName"]?.string, let operand = object["NSOperand"] else { return nil }
    var arguments: [String] = []
    for argument in object["NSArguments"]?.elements ?? [] {
      guard let text = text(of: argument, depth: depth + 1) else { return nil }
      arguments.append(text)
    }
    if selector.hasPrefix("valueForKey"), arguments.count == 1 {
      guard let base = text(of: operand, depth: depth + 1) else { return nil }
      return base == "SELF" ? arguments[0] : "\(base).\(arguments[0])"
    }
    if operand["NSConstantValueClassName"] != nil { return "\(selector)(\(arguments.joined(separator: ", ")))" }
    guard let base = text(of: operand, depth: depth + 1) else { return nil }
    return "FUNCTION(\(([base, "\"\(selector)\""] + arguments).joined(separator: ", ")))"
  }
}
