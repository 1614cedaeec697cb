/// A remedy in words, with the commands to run and the options to add as parts of their own.
///
/// A library shows ``words``. A command line shows ``text``, in which each command and option follows its words.
///
/// ```swift
/// let advice: Advice = "record the version: \(run: "modelctl", "lock", "v2")"
/// for case .command(let command) in advice.parts { print(command.arguments) }
/// ```
public struct Advice: Hashable, Sendable {
  /// A piece of it.
  public enum Part: Hashable, Sendable {
    /// Words of a sentence, which are complete without the command or option that follows them.
    case words(String)
    /// A command to run.
    case command(Command)
    /// An option to add to the command that failed, with its value if it takes one.
    case option(String, value: String?)
  }

  /// A command for a shell.
  public struct Command: Hashable, Sendable {
    /// The program and its arguments, unquoted; empty for a text that only a shell understands, such as a pipe.
    public let arguments: [String]
    /// The command as a shell takes it.
    public let text: String
    /// True if the last argument is the store that the error is about.
    public let isAboutStore: Bool

    /// Takes a program and its arguments.
    public init(_ arguments: [String]) { self.init(arguments, isAboutStore: false) }

    /// Takes a text that a shell understands.
    public init(shell text: String) { (arguments, self.text, isAboutStore) = ([], text, false) }

    fileprivate init(_ arguments: [String], isAboutStore: Bool) {
      (self.arguments, self.isAboutStore) = (arguments, isAboutStore)
      text = arguments.map { ShellWord($0).text }.joined(separator: " ")
    }
  }

  /// The pieces in their order; none is empty, and words never follow words.
  public private(set) var parts: [Part] = []

  /// Takes words without a command.
  public init(_ words: String) { append(.words(words)) }

  /// The advice with its commands about another name of the store, followed by options.
  package func naming(store: String?, _ options: [String]) -> Advice {
    guard let store else { return self }
    return Advice(
      parts: parts.map { part in
        guard case .command(let command) = part, command.isAboutStore else { return part }
        let arguments = command.arguments.dropLast() + [ShellWord.argument(store)] + options
        return .command(Command(Array(arguments)))
      })
  }

  /// The advice for a command in which an option has another name.
  package func renaming(_ option: String, to name: String) -> Advice {
    Advice(
      parts: parts.map { part in
        guard case .option(option, let value) = part else { return part }
        return .option(name, value: value)
      })
  }

  /// The words, commands and options in a single line.
  public var text: String {
    parts.map { part in
      switch part {
      case .words(let text): text
      case .command(let command): command.text
      case .option(let name, let value): value.map { "\(name) \(ShellWord($0).text)" } ?? name
      }
    }.joined()
  }

  /// The words alone, for a program without a command line.
  public var words: String {
    parts.compactMap { part -> String? in
      guard case .words(let text) = part, text != " " else { return nil }
      return text.hasSuffix(": ") ? String(text.dropLast(2)) : text
    }.joined()
  }

  /// A line of it.
  package struct Line: Hashable, Sendable {
    /// Its text; the words of a line begin with a capital letter, and a command is indented.
    package let text: String
    /// True if a shell takes its end, so that no full stop may follow it.
    package let endsInCommand: Bool
  }

  /// The words and options in lines, with each command on a line of its own.
  package var lines: [Line] {
    var lines: [Line] = []
    var (line, endsInOption) = ("", false)
    func close() {
      lines += Self.capitalized(line).split(separator: "\n").map { Line(text: "\($0)", endsInCommand: endsInOption) }
      (line, endsInOption) = ("", false)
    }
    for part in parts {
      switch part {
      case .words(let words): (line, endsInOption) = (line + words, false)
      case .option(let name, let value):
        (line, endsInOption) = (line + (value.map { "\(name) \(ShellWord($0).text)" } ?? name), true)
      case .command(let command):
        close()
        lines.append(Line(text: "  \(command.text)", endsInCommand: true))
      }
    }
    close()
    return lines
  }

  /// A part of a sentence as a line, without the punctuation before it.
  package static func capitalized(_ line: String) -> String {
    let words = line.drop { "; ,.".contains($0) }
    let text = words.last == " " ? words.dropLast() : words
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  /// The options that follow the first words, in a single line; nil if there is no option.
  package var firstOptions: String? {
    let rest = parts.drop { if case .option = $0 { false } else { true } }
    let options = rest.prefix { if case .words(let text) = $0 { text == " " } else { true } }
    return options.isEmpty ? nil : Advice(parts: Array(options)).text
  }

  private init(parts: [Part]) { self.parts = parts }

  /// The commands in their order.
  public var commands: [Command] {
    parts.compactMap { part in
      guard case .command(let command) = part else { return nil }
      return command
    }
  }

  private mutating func append(_ part: Part) {
    switch (part, parts.last) {
    case (.words(""), _): break
    case (.words(let text), .words(let before)?): parts[parts.count - 1] = .words(before + text)
    default: parts.append(part)
    }
  }
}

extension Advice: CustomStringConvertible {
  /// The words, commands and options in a single line.
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

    /// Adds a program with its arguments, which are quoted if a shell needs it.
    public mutating func appendInterpolation(run arguments: String...) { advice.append(.command(Command(arguments))) }

    /// Adds a program with its arguments, which are quoted if a shell needs it.
    public mutating func appendInterpolation(run arguments: [String]) { advice.append(.command(Command(arguments))) }

    /// Adds a program with its arguments and the store of the error; `STORE` if the error does not know its path.
    public mutating func appendInterpolation(run arguments: String..., onStore path: String?) {
      advice.append(
        .command(Command(arguments + [path.map(ShellWord.argument) ?? "STORE"], isAboutStore: true)))
    }

    /// Adds a command.
    public mutating func appendInterpolation(_ command: Command) { advice.append(.command(command)) }

    /// Adds a command as a shell takes it.
    public mutating func appendInterpolation(command: String) {
      if !command.isEmpty { advice.append(.command(Command(shell: command))) }
    }

    /// Adds an option for the command that failed.
    public mutating func appendInterpolation(option name: String, _ value: String? = nil) {
      advice.append(.option(name, value: value))
    }

    /// Adds the pieces of other advice.
    public mutating func appendInterpolation(_ other: Advice) { for part in other.parts { advice.append(part) } }
  }

  /// Takes words without a command.
  public init(stringLiteral words: String) { self.init(words) }

  /// Takes the pieces of a literal.
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.advice }
}

/// An error in parts: the place, the cause, and a remedy whose commands and options are values.
///
/// `description` does not have commands or options, so that a server's log does not show them. The command line shows both.
public protocol AdvisedError: Error, CustomStringConvertible {
  /// The file, store or argument that the error is about; nil if the cause names it.
  var place: String? { get }
  /// The cause as a sentence, without the place.
  var cause: String { get }
  /// The remedy; nil if the cause implies it.
  var advice: Advice? { get }
  /// The place, the cause and the remedy with its commands and options.
  var text: String { get }
}

extension AdvisedError {
  /// The place, the cause and the remedy in words.
  public var description: String {
    (place.map { "\($0): " } ?? "") + cause + (advice.map { "; \($0.words)" } ?? "")
  }

  /// The place, the cause and the remedy with its commands and options, in a single line.
  public var text: String { text(advising: advice) }

  /// The same text with another remedy.
  package func text(advising advice: Advice?) -> String {
    (place.map { "\($0): " } ?? "") + ErrorWords(cause, advice).sentence
  }
}

extension Error {
  /// The error for a person at a command line, with the commands and options of its remedy.
  package var sentence: String {
    (self as? any AdvisedError)?.text ?? "\(self)"
  }
}

/// A text as one word of a shell command, quoted only if necessary.
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
  package init(path: String) { self.init(Self.argument(path)) }

  /// A path as an unquoted argument, which no program takes for an option.
  package static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./\(path)" : path }
}

/// The words of an error in two parts: the cause and the remedy.
package struct ErrorWords: Hashable, Sendable {
  /// The cause, without the location.
  package var cause: String
  package var advice: Advice?

  package init(_ cause: String, _ advice: Advice? = nil) { (self.cause, self.advice) = (cause, advice) }

  /// The cause and the remedy with its commands, in a single line.
  package var sentence: String { advice.map { "\(cause); \($0.text)" } ?? cause }
}

/// The style of a sentence: to be read or to be heard.
package enum WordStyle: Hashable, Sendable {
  /// With typographic quotation marks.
  case written
  /// Without signs that a voice would spell out or leave out.
  case spoken

  /// A text of the user between quotation marks.
  package func quoted(_ text: String) -> String {
    switch self {
    case .written: "“\(text)”"
    case .spoken: "\"\(text)\""
    }
  }
}
