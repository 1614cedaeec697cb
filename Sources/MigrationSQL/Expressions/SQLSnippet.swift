import MappingModels

/// SQL of a mapping, split at its variables.
package struct SQLSnippet: Hashable {
  /// A stretch of SQL or a variable.
  package enum Part: Hashable {
    /// SQL without variables, with complete texts, names and comments.
    case text(String)
    /// `$source.key.path`, without keys the object itself.
    case source([String])
    /// `$1` and so on.
    case argument(Int)
  }

  package let text: String
  /// Its parts in their order.
  package private(set) var parts: [Part] = []

  /// Splits SQL.
  package init(_ text: String) throws(SQLSnippetError) {
    self.text = text
    var scanner = SQLSnippetScanner(text)
    parts = try scanner.parts()
  }
}

extension ExpressionCompilation {
  /// Returns SQL of a mapping, with values for its variables.
  ///
  /// - Parameter arguments: the values of `$1`, `$2` and so on.
  mutating func snippet(_ snippet: SQLSnippet, arguments: [SQLStatement]) throws -> ExpressionPiece {
    ExpressionPiece(sql: "(\(try bareSnippet(snippet, arguments: arguments)))", type: .unknown, canFail: true)
  }

  /// Returns the SQL with question marks for its variables, so that only the mapping's own text is left.
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

/// Reads SQL from the front, and distinguishes texts, names and comments from the rest.
struct SQLSnippetScanner {
  /// The maximum length of SQL in a mapping.
  static let limit = 100_000

  private let sql: String
  private var rest: Substring.UnicodeScalarView
  private var text = ""
  private var found: [SQLSnippet.Part] = []
  private var depth = 0
  private var isEmpty = true

  init(_ sql: String) {
    self.sql = sql
    rest = Substring(sql).unicodeScalars
  }

  mutating func parts() throws(SQLSnippetError) -> [SQLSnippet.Part] {
    guard sql.utf8.count <= Self.limit else { throw fail(.tooLong(limit: Self.limit)) }
    while let mark = rest.first {
      switch mark {
      case "'", "\"", "`": try quoted(mark, until: mark)
      case "[": try quoted(mark, until: "]")
      case "-" where second == "-": comment()
      case "/" where second == "*": try blockComment()
      case "$": try variable()
      case ":", "@", "?": throw fail(.parameter(name(after: mark)))
      case ";": throw fail(.several)
      case "(", ")":
        depth += mark == "(" ? 1 : -1
        guard depth >= 0 else { throw fail(.unbalanced) }
        take()
      case "\0": throw fail(.unclosed("NUL character"))
      default:
        if Self.isWord(mark) { try unquotedWord() } else { take() }
      }
    }
    guard depth == 0 else { throw fail(.unbalanced) }
    flush()
    guard !isEmpty else { throw fail(.empty) }
    return found
  }

  private func fail(_ reason: SQLSnippetError.Reason) -> SQLSnippetError { SQLSnippetError(sql: sql, reason: reason) }

  private var second: Unicode.Scalar? { rest.dropFirst().first }

  private mutating func take() {
    guard let scalar = rest.popFirst() else { return }
    text.unicodeScalars.append(scalar)
    if !scalar.properties.isWhitespace { isEmpty = false }
  }

  /// `SELECT` and `VALUES` are not names unless they are quoted.
  private mutating func unquotedWord() throws(SQLSnippetError) {
    let word = word()
    guard !["SELECT", "VALUES"].contains(word.uppercased()) else { throw fail(.subselect) }
    text += word
    isEmpty = false
  }

  private mutating func flush() {
    if !text.isEmpty { found.append(.text(text)) }
    text = ""
  }

  /// A doubled mark is part of the text; reading it as two adjacent texts ends at the same position.
  private mutating func quoted(_ mark: Unicode.Scalar, until end: Unicode.Scalar) throws(SQLSnippetError) {
    take()
    while let next = rest.first, next != end {
      guard next != "\0" else { throw fail(.unclosed("NUL character")) }
      take()
    }
    guard !rest.isEmpty else { throw fail(.unclosed(String(mark))) }
    take()
  }

  private mutating func comment() {
    while let next = rest.first, next != "\n" { rest.removeFirst() }
    text += " "
  }

  private mutating func blockComment() throws(SQLSnippetError) {
    rest.removeFirst(2)
    while let next = rest.first {
      if next == "*", second == "/" {
        rest.removeFirst(2)
        text += " "
        return
      }
      rest.removeFirst()
    }
    throw fail(.unclosed("/*"))
  }

  private func name(after mark: Unicode.Scalar) -> String {
    String(mark) + String(String.UnicodeScalarView(rest.dropFirst().prefix(while: Self.isWord)))
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar.value > 0x7F
  }

  private mutating func word() -> String {
    let word = rest.prefix(while: Self.isWord)
    rest = rest[word.endIndex...]
    return String(String.UnicodeScalarView(word))
  }

  private mutating func variable() throws(SQLSnippetError) {
    rest.removeFirst()
    let name = word()
    flush()
    isEmpty = false
    if let number = Int(name) {
      found.append(.argument(number))
      return
    }
    guard name == "source" else { throw fail(.unknownVariable(name)) }
    var keys: [String] = []
    while rest.first == ".", let next = second, next == "@" || Self.isWord(next) {
      rest.removeFirst()
      var key = ""
      if rest.first == "@" {
        rest.removeFirst()
        key = "@"
      }
      keys.append(key + word())
    }
    found.append(.source(keys))
  }
}
