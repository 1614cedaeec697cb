import Foundation
package import ModelDescription

/// Reads the archived default value of an attribute; values of custom classes give none.
package enum ArchivedAttributeValue {
  /// The value of an object; nil if it is not a value of the type.
  package static func value(_ object: ArchivedObject, as type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: object.leaf?.integer.map { .integer($0) }
    case .double, .float: object.leaf?.real.map { .double($0) }
    case .decimal: decimal(object).map { .decimal($0) }
    case .string: object.string.map { .string($0) }
    case .boolean: object.leaf?.boolean.map { .boolean($0) }
    case .date: date(object).map { .date($0) }
    case .binary: (object.leaf?.data ?? object["NS.data"]?.leaf?.data).map { .binary($0) }
    case .uuid: object["NS.uuidbytes"]?.leaf?.data.flatMap(uuid).map { .uuid($0) }
    case .uri: object["NS.relative"]?.string.map { .uri($0) }
    case .undefined, .transformable, .objectID, .composite, .unrecognized: nil
    }
  }

  private static func date(_ object: ArchivedObject) -> Double? {
    if case .date(let seconds) = object.leaf { return seconds }
    return object["NS.time"]?.leaf?.real
  }

  private static func decimal(_ object: ArchivedObject) -> Decimal? {
    if let number = object.leaf?.integer { return Decimal(number) }
    if let number = object.leaf?.real { return number.isFinite ? Decimal(number) : nil }
    guard let mantissa = object["NS.mantissa"]?.leaf?.data, mantissa.count <= 16,
      let exponent = object["NS.exponent"]?.leaf?.integer, (-128...127).contains(exponent)
    else { return nil }
    // Eight numbers of 16 bits, least first; the byte order 1 is little-endian.
    let isLittleEndian = object["NS.mantissa.bo"]?.leaf?.integer != 2
    let bytes = Array(mantissa)
    var value = Decimal(0)
    for position in stride(from: bytes.count / 2 - 1, through: 0, by: -1) {
      let (first, second) = (UInt16(bytes[position * 2]), UInt16(bytes[position * 2 + 1]))
      let part = isLittleEndian ? second << 8 | first : first << 8 | second
      if part == 0, value.isZero { continue }
      value = value * 65536 + Decimal(Int(part))
    }
    let isNegative = object.flag("NS.negative")
    return Decimal(sign: isNegative ? .minus : .plus, exponent: Int(exponent), significand: value)
  }

  private static func uuid(_ data: Data) -> UUID? {
    let bytes = Array(data)
    guard bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

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
