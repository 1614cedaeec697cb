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
    public mutating func appendInterpolation(_ other: Advice) { for part in other.parts { advice.append(part) } }
  }

  /// Takes words without a command.
  public init(stringLiteral words: String) { self.init(words) }

  /// Takes the pieces of a literal.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.advice }
}

/// A text as one word of a shell command, quoted only where it must be.
package struct ShellWord {
  package let text: String

  /// Makes a word that a shell reads back as this text.
  package init(_ raw: String) {
    let plain = raw.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "/._-+@,:=".utf8.contains(byte)
    }
    let parts = raw.split(separator: "'", omittingEmptySubsequences: false)
    text = plain && !raw.isEmpty ? raw : "'" + parts.joined(separator: "'\\''") + "'"
  }

  /// Makes a word of a path, which no program takes for an option.
  package init(path: String) { self.init(path.hasPrefix("-") ? "./\(path)" : path) }
}

/// The words of an error in two parts, so that whoever shows it need not take a sentence apart.
package struct ErrorWords: Hashable, Sendable {
  /// What is wrong, without the place.
  package var cause: String
  package var advice: Advice?

  package init(_ cause: String, _ advice: Advice? = nil) { (self.cause, self.advice) = (cause, advice) }

  package var sentence: String { advice.map { "\(cause); \($0)" } ?? cause }
}

/// Whether a sentence is made to be read or to be heard.
package enum WordStyle: Hashable, Sendable {
  /// With typographic quotation marks.
  case written
  /// Without signs that a voice would spell out or leave out.
  case spoken

  /// A text that is somebody's data, between quotation marks.
  package func quoted(_ text: String) -> String {
    switch self {
    case .written: "“\(text)”"
    case .spoken: "\"\(text)\""
    }
  }
}
