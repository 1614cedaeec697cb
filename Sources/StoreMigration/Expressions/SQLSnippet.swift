import MappingModels

/// SQL that somebody wrote in a mapping, taken apart at the places where the mapping stands in it.
struct SQLSnippet: Hashable {
  /// A stretch of SQL or what is put in it.
  enum Part: Hashable {
    /// SQL as it is written, texts, names and comments whole.
    case text(String)
    /// `$source.key.path`, without keys the object itself.
    case source([String])
    /// `$1` and so on.
    case argument(Int)
  }

  /// The SQL as it was given.
  let text: String
  /// Its parts in their order.
  private(set) var parts: [Part] = []

  /// Takes SQL apart.
  ///
  /// - Throws: ``SQLSnippetError`` when it cannot be one expression.
  init(_ text: String) throws(SQLSnippetError) {
    self.text = text
    var scanner = SQLSnippetScanner(text)
    parts = try scanner.parts()
  }
}
