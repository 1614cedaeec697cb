import MappingModels
import ModelDescription

extension ExpressionCompilation {
  /// `CAST(value, "type")`.
  mutating func cast(
    _ value: ValueExpression, to name: String, _ expression: ValueExpression
  ) throws -> ExpressionPiece {
    guard let cast = ExpressionCast(rawValue: name) else { return .null }
    if case .constant(.string(let text)) = value {
      var piece = ExpressionPiece.constant(try CastText.value(of: text, as: cast))
      piece.type = .value(cast.type)
      return piece
    }
    var piece = checked(try piece(value), value).unmarked
    if piece.type == .null { return .null }
    let found = piece.type
    piece.type = .value(cast.type)
    piece.chain = nil
    switch (found, cast) {
    case (.value(let type), _) where type == cast.type: return piece
    case (.value(.uri), .string), (.value(.uuid), .data): return piece
    case (_, .number) where found.isNumber && found != .unknown,
      (_, .decimal) where found.isNumber && found != .unknown:
      if found.isWholeNumber, cast == .number { piece.type = .value(.integer64) }
      return piece
    case (.value(.date), .number), (.value(.date), .decimal), (.truth, .date):
      piece.sql = "CAST(\(piece.sql) AS REAL)"
      piece.isSimple = false
      return piece
    case (.value(let type), .date) where type.isNumeric:
      piece.sql = "CAST(\(piece.sql) AS REAL)"
      piece.isSimple = false
      return piece
    default:
      let kind = if case .value(let type) = found { type.name } else if found == .truth { "Boolean" } else { "" }
      return ExpressionPiece(
        sql: "modelctl_cast(\(piece.sql), \(.text(name)), \(.text(kind)), \(place(expression)))",
        type: .value(cast.type), canFail: true)
    }
  }
}
