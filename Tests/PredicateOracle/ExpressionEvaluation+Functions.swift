import Foundation
import GRDB
import MappingModels
import MigrationSQL
import ModelDescription

extension ExpressionEvaluation {
  /// A built-in function.
  func function(
    _ name: String, _ arguments: [ValueExpression], _ expression: ValueExpression
  ) throws -> EvaluatedPiece {
    if let collecting = ExpressionTyping.aggregates[name], let argument = arguments.first {
      return try aggregated(members(of: argument), [.aggregate(collecting, of: .itself)], expression)
    }
    if name == "now" {
      let moment = now.databaseValue
      return EvaluatedPiece(.value(.date)) { _ in moment }
    }
    let pieces = try arguments.map { try piece($0) }
    guard let first = pieces.first, let last = pieces.last else { return .null }
    let type = try typing.type(of: expression)
    if pieces.count == 2 {
      guard type == .value(.string) else { return arithmetic(name, first, last, type, arguments, expression) }
      return EvaluatedPiece(type) { scope in
        let (text, end) = (try first.value(scope).text, try last.value(scope).text)
        guard let text, let end else { return .null }
        return (text + end).databaseValue
      }
    }
    let value = checked(first, arguments[0])
    let place = place(expression)
    switch name {
    case "uppercase:": return folding("modelctl_uppercase", value.value)
    case "lowercase:": return folding("modelctl_lowercase", value.value)
    case "canonical:": return folding("modelctl_canonical", value.value)
    case "length:": return calling("modelctl_length", value.value, .integer64)
    case "abs:":
      return EvaluatedPiece(type) { scope in
        switch try value.value(scope).operand {
        case nil: .null
        case .whole(let number):
          try ExpressionFunctions.call("modelctl_absolute", [number.databaseValue] + place(scope))
        case .real(let number): abs(number).databaseValue
        }
      }
    case "trunc:" where value.type.isWholeNumber, "floor:" where value.type.isWholeNumber,
      "ceiling:" where value.type.isWholeNumber:
      return EvaluatedPiece(type, value.value)
    default:
      let word = (name.hasSuffix(":") ? String(name.dropLast()) : name).databaseValue
      return EvaluatedPiece(type) { scope in
        try ExpressionFunctions.call("modelctl_real", [word, value.value(scope)] + place(scope))
      }
    }
  }

  /// Integers that overflow 64 bits are found before they become part of a floating-point number.
  private func arithmetic(
    _ name: String, _ left: EvaluatedPiece, _ right: EvaluatedPiece, _ type: ExpressionType,
    _ arguments: [ValueExpression], _ expression: ValueExpression
  ) -> EvaluatedPiece {
    let isWhole = type == .value(.integer64)
    let (first, second) = (checked(left, arguments[0]), checked(right, arguments[1]))
    let function: String
    switch name {
    case "divide:by:": function = isWhole ? "modelctl_quotient" : "modelctl_ratio"
    case "modulus:by:": function = "modelctl_modulus"
    case "raise:toPower:": function = "modelctl_power"
    default:
      let (first, second) = isWhole ? (left, right) : (first, second)
      let combined = Self.operation(name)
      return EvaluatedPiece(type, canOverflow: isWhole) { scope in
        // Both are computed, as in SQL: what the second cannot be is an error without the first too.
        let (one, two) = (try first.value(scope).operand, try second.value(scope).operand)
        guard let one, let two else { return .null }
        return combined(one, two).value
      }
    }
    if left.type == .null || right.type == .null { return .null }
    let place = place(expression)
    return EvaluatedPiece(type) { scope in
      try ExpressionFunctions.call(function, [first.value(scope), second.value(scope)] + place(scope))
    }
  }

  private static func operation(_ name: String) -> (StoredNumber, StoredNumber) -> StoredNumber {
    switch name {
    case "add:to:": { $0.combined(with: $1, { $0.addingReportingOverflow($1) }, +) }
    case "from:subtract:": { $0.combined(with: $1, { $0.subtractingReportingOverflow($1) }, -) }
    default: { $0.combined(with: $1, { $0.multipliedReportingOverflow(by: $1) }, *) }
    }
  }

  /// `CAST(value, "type")`.
  func cast(
    _ value: ValueExpression, to name: String, _ expression: ValueExpression
  ) throws -> EvaluatedPiece {
    if let object = expression.objectReference {
      let key = object.key.databaseValue
      return EvaluatedPiece(.object(entity: object.entity)) { _ in key }
    }
    guard let cast = ExpressionCast(rawValue: name) else { return .null }
    if case .constant(.string(let text)) = value {
      var piece = EvaluatedPiece.constant(try CastText.value(of: text, as: cast))
      piece.type = .value(cast.type)
      return piece
    }
    let piece = unmarked(checked(try piece(value), value))
    if piece.type == .null { return .null }
    let found = piece.type
    func real() -> EvaluatedPiece {
      EvaluatedPiece(.value(cast.type)) { scope in
        try (piece.value(scope).operand?.double).map { $0.databaseValue } ?? .null
      }
    }
    switch (found, cast) {
    case (.value(let type), _) where type == cast.type: return EvaluatedPiece(.value(cast.type), piece.value)
    case (.value(.uri), .string), (.value(.uuid), .data): return EvaluatedPiece(.value(cast.type), piece.value)
    case (_, .number) where found.isNumber && found != .unknown,
      (_, .decimal) where found.isNumber && found != .unknown:
      let isWhole = found.isWholeNumber && cast == .number
      return EvaluatedPiece(.value(isWhole ? .integer64 : cast.type), piece.value)
    case (.value(.date), .number), (.value(.date), .decimal), (.truth, .date): return real()
    case (.value(let type), .date) where type.isNumeric: return real()
    default:
      let kind = if case .value(let type) = found { type.name } else if found == .truth { "Boolean" } else { "" }
      let place = place(expression)
      return EvaluatedPiece(.value(cast.type)) { scope in
        let call = try [piece.value(scope), name.databaseValue, kind.databaseValue]
        return try ExpressionFunctions.call("modelctl_cast", call + place(scope))
      }
    }
  }
}
