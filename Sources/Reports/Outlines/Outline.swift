/// A document that is read from the top to the bottom: a title, a fact a line, then its parts likewise.
///
/// Nothing in it is said by place, sign or colour, so that it can be read aloud; text, HTML and Markdown are made of
/// the same value.
public struct Outline: Hashable, Sendable {
  /// What it is about, without a full stop.
  public var title: String
  /// What there is to know of it, one fact each, without full stops.
  public var facts: [String]
  /// Its parts.
  public var parts: [Outline]

  /// Makes a document or a part of one.
  public init(_ title: String, facts: [String] = [], parts: [Outline] = []) {
    self.title = title
    self.facts = facts
    self.parts = parts
  }
}

extension Outline {
  /// The document on lines that end in full stops, which is where a voice pauses.
  ///
  /// A blank line stands before each part of the document, the lines of deeper parts are indented; both are only for the
  /// eye.
  public var text: String {
    let head = [title] + facts
    let lines = head.map(Self.sentence) + parts.flatMap { [""] + $0.lines(indent: "") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(indent: String) -> [String] {
    let inner = indent + "  "
    return [indent + Self.sentence(title)] + facts.map { inner + Self.sentence($0) }
      + parts.flatMap { $0.lines(indent: inner) }
  }

  /// A line with a full stop at its end, unless another sign ends it, in which nothing breaks the line.
  private static func sentence(_ text: String) -> String {
    let line = PrintableText.line(text)
    return [".", "?", "!"].contains(line.last) ? line : line + "."
  }
}
