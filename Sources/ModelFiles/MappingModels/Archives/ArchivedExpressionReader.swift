public import MappingModels
public import ModelDescription

/// Reads an archived `NSExpression` as a tree, within bounds of depth and size: archives may share and repeat objects.
///
/// Source: the archives in mapping models and compiled mapping models.
struct ArchivedExpressionReader {
  static let depthLimit = ValueExpression.depthLimit
  static let sizeLimit = 10_000

  private var size = 0

  static func read(_ object: ArchivedObject) throws(ArchivedExpressionError) -> ValueExpression {
    var reader = ArchivedExpressionReader()
    return try reader.expression(object, depth: 0)
  }

  private mutating func expression(
    _ object: ArchivedObject, depth: Int
  ) throws(ArchivedExpressionError) -> ValueExpression {
    guard depth < Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    size += 1
    guard size <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
    let kind = object["NSExpressionType"]?.value.integer
    switch kind {
    case 0: return try constant(object, depth: depth)
    case 1: return .selfObject
    case 2: return .variable(try text("NSVariable", of: object))
    case 3, 4: return try function(object, depth: depth)
    case 10: return .keyPath(try keys(of: object), of: .selfObject)
    case 14: return .collection(try expressions(object["NSCollection"]?.members ?? [], depth: depth))
    case 50:
      return .fetch(
        request: try expression("NSFRExpression", of: object, depth: depth),
        context: try expression("NSMOCExpression", of: object, depth: depth),
        countsOnly: object.flag("NSCountOnlyFlag"))
    default: throw .unknownKind(kind, className: Self.className(object))
    }
  }

  private mutating func constant(
    _ object: ArchivedObject, depth: Int
  ) throws(ArchivedExpressionError) -> ValueExpression {
    if let className = object["NSConstantValueClassName"]?.string { throw .unknownConstant(className: className) }
    guard let value = object["NSConstantValue"] else { return .null }
    return try literal(value, depth: depth)
  }

  private mutating func literal(
    _ value: ArchivedObject, depth: Int
  ) throws(ArchivedExpressionError) -> ValueExpression {
    if let constant = ArchivedConstant.value(value) { return .constant(constant) }
    if value.isKind(of: "NSNull") { return .null }
    guard value.isKind(of: "NSArray") || value.isKind(of: "NSSet"), depth < Self.depthLimit else {
      throw .unknownConstant(className: Self.className(value))
    }
    var members: [ValueExpression] = []
    for member in value.elements {
      size += 1
      guard size <= Self.sizeLimit else { throw .tooLarge(limit: Self.sizeLimit) }
      members.append(try literal(member, depth: depth + 1))
    }
    return .collection(members)
  }

  /// A key path is the function `valueForKeyPath:`; a built-in function has the class `_NSPredicateUtilities` as target.
  private mutating func function(
    _ object: ArchivedObject, depth: Int
  ) throws(ArchivedExpressionError) -> ValueExpression {
    let selector = try text("NSSelectorName", of: object)
    guard let operand = object["NSOperand"] else { throw .missingField("NSOperand", className: Self.className(object)) }
    let arguments = object["NSArguments"]?.elements ?? []
    if let keys = keys(selector, arguments) {
      let base = try expression(operand, depth: depth + 1)
      if case .keyPath(let first, let root) = base { return .keyPath(first + keys, of: root) }
      return .keyPath(keys, of: base)
    }
    let values = try expressions(arguments, depth: depth)
    guard let className = operand["NSConstantValueClassName"]?.string else {
      return .invocation(of: try expression(operand, depth: depth + 1), selector: selector, arguments: values)
    }
    guard className.hasSuffix("NSPredicateUtilities") else { throw .unknownTarget(className: className) }
    if selector == "castObject:toType:", values.count == 2, case .constant(.string(let type)) = values[1] {
      return .cast(values[0], to: type)
    }
    return .function(selector, values)
  }

  private mutating func expressions(
    _ objects: [ArchivedObject], depth: Int
  ) throws(ArchivedExpressionError) -> [ValueExpression] {
    var expressions: [ValueExpression] = []
    for object in objects { expressions.append(try expression(object, depth: depth + 1)) }
    return expressions
  }

  private mutating func expression(
    _ field: String, of object: ArchivedObject, depth: Int
  ) throws(ArchivedExpressionError) -> ValueExpression {
    guard let value = object[field] else { throw .missingField(field, className: Self.className(object)) }
    return try expression(value, depth: depth + 1)
  }

  /// The keys of a key-value coding call, given as a specifier or as plain text; nil for another function.
  private func keys(_ selector: String, _ arguments: [ArchivedObject]) -> [String]? {
    guard ["valueForKeyPath:", "valueForKey:"].contains(selector), arguments.count == 1,
      let text = arguments[0]["NSKeyPath"]?.filledString ?? arguments[0]["NSConstantValue"]?.filledString
    else { return nil }
    return text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private func keys(of object: ArchivedObject) throws(ArchivedExpressionError) -> [String] {
    try text("NSKeyPath", of: object).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private func text(_ field: String, of object: ArchivedObject) throws(ArchivedExpressionError) -> String {
    guard let text = object[field]?.filledString else { throw .missingField(field, className: Self.className(object)) }
    return text
  }

  private static func className(_ object: ArchivedObject) -> String { object.classNames.first ?? "object" }
}

/// Reads the value of an archived constant, whose type only the archive tells.
enum ArchivedConstant {
  static func value(_ object: ArchivedObject) -> AttributeValue? {
    if let text = object.string { return .string(text) }
    switch object.value {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .real(let number): return .double(number)
    case .single(let number): return .double(Double(number))
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .binary(bytes)
    default: break
    }
    guard let type = classes.first(where: { object.isKind(of: $0.name) })?.type else { return nil }
    return ArchivedAttributeValue.value(object, as: type)
  }

  private static let classes: [(name: String, type: AttributeType)] = [
    ("NSDate", .date), ("NSDecimalNumber", .decimal), ("NSDecimalNumberPlaceholder", .decimal), ("NSUUID", .uuid),
    ("NSURL", .uri), ("NSData", .binary),
  ]
}

/// An expression from a keyed archive: read, or kept with the reason why it cannot be.
///
/// A file with an unreadable expression can be read, but not compiled.
public enum ArchivedExpression: Hashable, Sendable {
  case readable(ValueExpression)
  case unreadable(ArchivedExpressionError)
}

/// The reason why an archived `NSExpression` cannot be computed here.
public enum ArchivedExpressionError: Error, Hashable, Sendable {
  /// The expression is nested too deep.
  case tooDeep(limit: Int)
  /// The expression has too many parts.
  case tooLarge(limit: Int)
  /// The expression is of a kind that mapping models do not use, such as a block or a subquery.
  case unknownKind(Int64?, className: String)
  /// A required field is missing.
  case missingField(String, className: String)
  /// A constant is of a class that attributes do not have.
  case unknownConstant(className: String)
  /// A function is not of the class of built-in functions.
  case unknownTarget(className: String)
}

extension ArchivedExpressionError: AdvisedError {
  /// Always nil: the error that contains this one names the location.
  public var place: String? { nil }

  /// The cause in a few words.
  public var cause: String {
    switch self {
    case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
    case .tooLarge(let limit): "it has more than \(limit) parts"
    case .unknownKind(let kind, let className):
      "it contains a \(className)\(kind.map { " of kind \($0)" } ?? ""), which a mapping cannot compute"
    case .missingField(let field, let className): "a \(className) has no \(field)"
    case .unknownConstant(let className): "it contains a constant of class \(className)"
    case .unknownTarget(let className): "it calls a function of class \(className)"
    }
  }

  /// Always nil: the error that contains this one has the remedy.
  public var advice: Advice? { nil }
}
