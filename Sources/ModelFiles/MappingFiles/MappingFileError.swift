public import MappingModels
package import ModelDescription

/// Why a mapping file cannot be used, and where in it.
public struct MappingFileError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Cause: Hashable, Sendable {
    /// The file is not readable, or is not well-formed XML.
    case file(ModelFileError)
    /// The file passes a limit.
    case tooLarge(what: String, limit: Int)
    /// The XML is of another kind.
    case unexpectedRoot(String)
    /// The schema does not allow it.
    case schema(String)
    /// Attributes of one element contradict each other.
    case contradiction(element: String, attributes: [String])
    /// Something that may stand once stands twice.
    case duplicate(String)
    /// An expression cannot be read.
    case expression(ExpressionSyntaxError, attribute: String)
    /// It means nothing for the two models.
    case resolution(MappingResolutionError)
  }

  /// What is wrong.
  public let cause: Cause
  /// Where; for an expression the very character.
  public let location: SourceLocation
}

extension MappingFileError: CustomStringConvertible {
  /// The place, the cause, and what to write instead.
  public var description: String {
    locatedWords.sentence
  }

  /// The place and the cause, and what to write instead.
  package var locatedWords: ErrorWords {
    if case .file(let error) = cause { return error.locatedWords }
    return ErrorWords("\(location): \(words.cause)", words.advice)
  }

  /// The cause without the place, and what to write instead.
  package var words: ErrorWords {
    switch cause {
    case .file(let error): error.words
    case .tooLarge(let what, let limit): .init("\(what) exceeds the limit of \(limit)")
    case .unexpectedRoot(let name): Self.rootWords(name)
    case .schema(let message): .init("not valid: \(message)")
    case .contradiction(let element, let attributes):
      .init(
        "<\(element)> has \(attributes.joined(separator: " and ")), of which only one can hold", "take one away")
    case .duplicate(let what): .init("\(what) stands twice", "take one away")
    case .expression(let error, let attribute): .init("\(attribute): \(error.words.cause)", error.words.advice)
    case .resolution(let error): error.words
    }
  }

  private static func rootWords(_ name: String) -> ErrorWords {
    let advice: Advice =
      name == "database"
      ? "see how an Xcode mapping model becomes one with: \(command: "modelctl mapping convert --help")"
      : "see how one is made with: \(command: "modelctl mapping new --help")"
    return .init("the root element is <\(name)>, a mapping file's is <mappingModel>", advice)
  }
}
