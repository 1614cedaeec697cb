/// What to do about something: words, in which the commands to run stand apart.
///
/// ```swift
/// let advice: Advice = "record the version: \(command: "modelctl lock")"
/// for case .command(let command) in advice.parts { print(command) }
/// ```
public struct Advice: Hashable, Sendable {
  /// A piece of it.
  public enum Part: Hashable, Sendable {
    /// Words of a sentence.
    case words(String)
    /// A command as a shell takes it.
    case command(String)
  }

  /// The pieces in their order; none is empty, and no words stand beside others.
  public private(set) var parts: [Part] = []

  /// Takes words without a command.
  public init(_ words: String) { append(.words(words)) }

  /// The words and commands in one line.
  public var text: String {
    parts.map { part in
      switch part {
      case .words(let text), .command(let text): text
      }
    }.joined()
  }

  private mutating func append(_ part: Part) {
    switch (part, parts.last) {
    case (.words(""), _), (.command(""), _): break
    case (.words(let text), .words(let before)?): parts[parts.count - 1] = .words(before + text)
    default: parts.append(part)
    }
  }
}

extension Advice: CustomStringConvertible {
  /// The words and commands in one line.
  public var description: String { text }
}

extension Advice: ExpressibleByStringInterpolation {
  /// Gathers the pieces of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var advice = Advice("")

    /// Starts without a piece.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds words.
    public mutating func appendLiteral(_ literal: String) { advice.append(.words(literal)) }

    /// Adds a value as words.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      advice.append(.words(value.description))
    }

    /// Adds a command.
    public mutating func appendInterpolation(command: String) { advice.append(.command(command)) }

    /// Adds the pieces of other advice.
    public mutating func appendInterpolation(_ other: Advice) {
      for part in other.parts { advice.append(part) }
    }
  }

  /// Takes words without a command.
  public init(stringLiteral words: String) { self.init(words) }

  /// Takes the pieces of a literal.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.advice }
}
