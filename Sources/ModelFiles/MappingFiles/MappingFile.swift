public import Foundation
public import MappingModels
public import ModelDescription

/// A mapping file: a mapping model written by hand, with the place of each of its parts.
public struct MappingFile: Hashable, Sendable {
  /// The name of the version that the rows have.
  public var sourceVersion: String
  /// The name of the version that they get.
  public var destinationVersion: String
  /// What is written.
  public var written: WrittenMappingModel
  /// Where each part stands.
  public var locations: [WrittenMappingModel.Part: SourceLocation]
  /// The comments that mark what has to be decided, in their order; the file is used all the same.
  public let openDecisions: [OpenDecision]
  /// The file's path as it was given.
  public var path: String

  /// A comment that marks what has to be decided.
  public struct OpenDecision: Hashable, Sendable {
    /// What it says, on one line.
    public let text: String
    /// Where it stands.
    public let location: SourceLocation
  }

  /// Reads a file.
  ///
  /// - Throws: ``MappingFileError`` with line and column.
  public static func read(_ path: String) throws(MappingFileError) -> MappingFile {
    let data: Data
    do {
      data = try FileBytes.read(path)
    } catch {
      throw MappingFileError(cause: .file(error), location: SourceLocation(file: path, line: 1, column: 1))
    }
    return try MappingFile(data, path: path)
  }

  /// Reads bytes.
  ///
  /// - Parameter data: the file's bytes; they may be hostile.
  /// - Throws: ``MappingFileError`` with line and column.
  public init(_ data: Data, path: String) throws(MappingFileError) {
    self = try MappingFileReader.read(data, path: path)
  }

  init(
    sourceVersion: String, destinationVersion: String, written: WrittenMappingModel,
    locations: [WrittenMappingModel.Part: SourceLocation], openDecisions: [OpenDecision], path: String
  ) {
    (self.sourceVersion, self.destinationVersion, self.written) = (sourceVersion, destinationVersion, written)
    (self.locations, self.openDecisions, self.path) = (locations, openDecisions, path)
  }

  /// The location of a part, or of the nearest part around it.
  public func location(of part: WrittenMappingModel.Part) -> SourceLocation {
    if let location = locations[part] { return location }
    switch part {
    case .attribute(_, of: let mapping), .relationship(_, of: let mapping): return location(of: .entityMapping(mapping))
    default: return locations[.model] ?? SourceLocation(file: path, line: 1, column: 1)
    }
  }

  /// Decides everything that is not written, as inference does.
  ///
  /// - Throws: ``MappingFileError`` with the place of the first thing that means nothing for these models.
  public func resolved(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingFileError) -> MappingModel {
    do {
      return try written.resolved(from: source, to: destination)
    } catch {
      throw MappingFileError(cause: .resolution(error), location: location(of: error.part))
    }
  }

  /// The same where inference cannot decide everything: what it cannot is left empty.
  ///
  /// - Returns: the mapping model, and what nobody has decided, each with its place.
  /// - Throws: ``MappingFileError`` with the place of the first thing that means nothing for these models.
  public func resolvedAsFarAsPossible(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingFileError) -> (model: MappingModel, undecided: [MappingFileError]) {
    do {
      let (model, undecided) = try written.resolvedAsFarAsPossible(from: source, to: destination)
      return (model, undecided.map { MappingFileError(cause: .resolution($0), location: location(of: $0.part)) })
    } catch {
      throw MappingFileError(cause: .resolution(error), location: location(of: error.part))
    }
  }

  /// The place of an entity mapping or of one of its properties, else of what holds it.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name; nil for the whole file.
  ///   - property: the destination property; nil for the whole mapping.
  public func location(ofMapping name: String?, property: String?) -> SourceLocation {
    guard let position = written.entityMappings.firstIndex(where: { ($0.name ?? $0.defaultName) == name }) else {
      return location(of: .model)
    }
    let mapping = written.entityMappings[position]
    if let attribute = mapping.attributes.firstIndex(where: { $0.name == property }) {
      return location(of: .attribute(attribute, of: position))
    }
    if let relationship = mapping.relationships.firstIndex(where: { $0.name == property }) {
      return location(of: .relationship(relationship, of: position))
    }
    return location(of: .entityMapping(position))
  }
}

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
  public var description: String { locatedWords.sentence }

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
      .init("<\(element)> has \(attributes.joined(separator: " and ")), of which only one can hold", "take one away")
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
