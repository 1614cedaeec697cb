public import MappingModels

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
    if case .file(let error) = cause { return error.description }
    return "\(location): \(sentence)"
  }

  /// The cause and what to write instead, without the place.
  public var sentence: String {
    switch cause {
    case .file(let error): error.description
    case .tooLarge(let what, let limit): "\(what) exceeds the limit of \(limit)"
    case .unexpectedRoot(let name): Self.rootSentence(name)
    case .schema(let message): "not valid: \(message)"
    case .contradiction(let element, let attributes):
      "<\(element)> has \(attributes.joined(separator: " and ")), of which only one can hold; take one away"
    case .duplicate(let what): "\(what) stands twice; take one away"
    case .expression(let error, let attribute): "\(attribute): \(error.sentence)"
    case .resolution(let error): error.description
    }
  }

  private static func rootSentence(_ name: String) -> String {
    let advice =
      name == "database"
      ? "see how an Xcode mapping model becomes one with: modelctl mapping convert --help"
      : "see how one is made with: modelctl mapping new --help"
    return "the root element is <\(name)>, a mapping file's is <mappingModel>; \(advice)"
  }
}
