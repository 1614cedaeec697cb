import Foundation

/// Every part of a value as text, the same in every process: what two values are compared by that never meet.
///
/// This file is compiled into the tests and into the programs that they make.
enum CanonicalText {
  static func of(_ value: Any) -> String {
    switch value {
    case let value as String: value.debugDescription
    case let value as Data: "data \(value.base64EncodedString())"
    case let value as Double: "\(value.bitPattern)"
    case let value as any CustomStringConvertible where value is Decimal || value is UUID || value is any BinaryInteger:
      value.description
    case let value as [String: String]: value.sorted { $0.key < $1.key }.map { of($0.key) + of($0.value) }.joined()
    default: children(of: value)
    }
  }

  private static func children(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard !mirror.children.isEmpty else { return "\(value)" }
    return "(" + mirror.children.map { "\($0.label ?? ""):\(of($0.value))" }.joined(separator: ",") + ")"
  }
}
