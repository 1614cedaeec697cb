/// Why an archived `NSExpression` has no counterpart here.
public enum ArchivedExpressionError: Error, Hashable, Sendable {
  case tooDeep(limit: Int)
  case tooLarge(limit: Int)
  /// An expression of another kind than those mapping models use, such as a block or a subquery.
  case unknownKind(Int64?, className: String)
  /// A field that this kind must have is missing.
  case missingField(String, className: String)
  /// A constant of a class whose values no attribute has.
  case unknownConstant(className: String)
  /// A function of a class that is not the one of built-in functions.
  case unknownTarget(className: String)
}

extension ArchivedExpressionError: CustomStringConvertible {
  /// The cause in a few words.
  public var description: String {
    switch self {
    case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
    case .tooLarge(let limit): "it has more than \(limit) parts"
    case .unknownKind(let kind, let className):
      "it holds a \(className)\(kind.map { " of kind \($0)" } ?? ""), which no mapping can compute"
    case .missingField(let field, let className): "a \(className) has no \(field)"
    case .unknownConstant(let className): "it holds a constant of class \(className)"
    case .unknownTarget(let className): "it calls a function of class \(className)"
    }
  }
}
