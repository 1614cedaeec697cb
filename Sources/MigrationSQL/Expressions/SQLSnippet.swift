import MappingModels

/// SQL that somebody wrote in a mapping, taken apart at the places where the mapping stands in it.
package struct SQLSnippet: Hashable {
  /// A stretch of SQL or what is put in it.
  package enum Part: Hashable {
    /// SQL as it is written, texts, names and comments whole.
    case text(String)
    /// `$source.key.path`, without keys the object itself.
    case source([String])
    /// `$1` and so on.
    case argument(Int)
  }

  /// The SQL as it was given.
  package let text: String
  /// Its parts in their order.
  package private(set) var parts: [Part] = []

  /// Takes SQL apart.
  ///
  /// - Throws: ``SQLSnippetError`` when it cannot be one expression.
  package init(_ text: String) throws(SQLSnippetError) {
    self.text = text
    var scanner = SQLSnippetScanner(text)
    parts = try scanner.parts()
  }
}

extension ExpressionCompilation {
  /// SQL that somebody wrote, with its variables replaced.
  ///
  /// - Parameters:
  ///   - snippet: the SQL.
  ///   - arguments: what `$1`, `$2` and so on stand for.
  /// - Returns: the SQL in parentheses.
  /// - Throws: ``SQLSnippetError`` or `ExpressionTypeError`.
  mutating func snippet(_ snippet: SQLSnippet, arguments: [SQLStatement]) throws -> ExpressionPiece {
    ExpressionPiece(
      sql: "(\(try bareSnippet(snippet, arguments: arguments)))", type: .unknown, canFail: true)
  }

  /// The SQL with question marks for its variables, so that only what somebody wrote is left.
  static func outline(of snippet: SQLSnippet) -> SQLStatement {
    snippet.parts.map { part in
      switch part {
      case .text(let text): SQLStatement(verbatim: text)
      case .source, .argument: "(?)"
      }
    }.joined("")
  }

  /// The same SQL without parentheses around it.
  mutating func bareSnippet(_ snippet: SQLSnippet, arguments: [SQLStatement]) throws -> SQLStatement {
    var pieces: [SQLStatement] = []
    for part in snippet.parts {
      switch part {
      case .text(let text): pieces.append(SQLStatement(verbatim: text))
      case .argument(let number):
        guard number >= 1, number <= arguments.count else {
          throw SQLSnippetError(sql: snippet.text, reason: .missingArgument(number, count: arguments.count))
        }
        pieces.append("(\(arguments[number - 1]))")
      case .source(let keys):
        let path = keys.isEmpty ? ValueExpression.variable("source") : .keyPath(keys, of: .variable("source"))
        guard try !typing.type(of: path).isCollection else {
          throw SQLSnippetError(sql: snippet.text, reason: .collection(path.shortText))
        }
        let piece = try piece(path).unmarked
        pieces.append(piece.isSimple ? piece.sql : "(\(piece.sql))")
      }
    }
    return pieces.joined("")
  }
}
