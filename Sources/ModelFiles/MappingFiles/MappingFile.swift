public import Foundation
public import MappingModels
public import ModelDescription

/// A mapping file: a mapping model written by hand, with the location of each of its parts.
public struct MappingFile: Hashable, Sendable {
  /// The name of the source version.
  public var sourceVersion: String
  /// The name of the destination version.
  public var destinationVersion: String
  /// The mapping model as it is written.
  public var written: WrittenMappingModel
  /// The location of each part.
  public var locations: [WrittenMappingModel.Part: SourceLocation]
  /// The comments that mark open decisions, in their order; the file is used anyway.
  public let openDecisions: [OpenDecision]
  /// The file's path as it was given.
  public var path: String

  /// A comment that marks an open decision.
  public struct OpenDecision: Hashable, Sendable {
    /// Its text, on a single line.
    public let text: String
    /// Its location in the file.
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

  /// Resolves the mapping model: parts that are not written are inferred.
  ///
  /// - Throws: ``MappingFileError`` with the location of the first part that does not fit these models.
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

  /// Resolves the mapping model as far as inference can decide; undecided parts are empty.
  ///
  /// - Returns: the mapping model, and the open decisions with their locations.
  /// - Throws: ``MappingFileError`` with the location of the first part that does not fit these models.
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

  /// The location of an entity mapping or of one of its properties, or of its parent if it has none.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name; nil for the complete file.
  ///   - property: the destination property; nil for the complete mapping.
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

/// The reason why a mapping file cannot be used, with its location.
public struct MappingFileError: Error, Hashable, Sendable {
  /// The kind of the error.
  public enum Cause: Hashable, Sendable {
    /// The file is not readable, or is not well-formed XML.
    case file(ModelFileError)
    /// The file exceeds a limit.
    case tooLarge(what: String, limit: Int)
    /// The root element is not that of a mapping file.
    case unexpectedRoot(String)
    /// The schema does not allow it.
    case schema(String)
    /// Attributes of one element contradict each other.
    case contradiction(element: String, attributes: [String])
    /// A part that is allowed once is there twice.
    case duplicate(String)
    /// An expression cannot be read.
    case expression(ExpressionSyntaxError, attribute: String)
    /// The two models do not have the mapped entity or property.
    case resolution(MappingResolutionError)
  }

  /// The kind of the error; ``cause`` is its text.
  public let reason: Cause
  /// The location; for an expression the exact character.
  public let location: SourceLocation

  init(cause: Cause, location: SourceLocation) { (reason, self.location) = (cause, location) }
}

extension MappingFileError: AdvisedError {
  /// The location, or the path of a file that cannot be read.
  public var place: String? {
    if case .file(let error) = reason { return error.place }
    return location.description
  }

  /// The cause as a sentence, without the place.
  public var cause: String { words.cause }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? { words.advice }

  /// The place and the cause, and the remedy.
  package var locatedWords: ErrorWords { ErrorWords("\(place ?? ""): \(words.cause)", words.advice) }

  /// The cause without the place, and the remedy.
  package var words: ErrorWords {
    switch reason {
    case .file(let error): error.words
    case .tooLarge(let what, let limit): .init("\(what) exceeds the limit of \(limit)")
    case .unexpectedRoot(let name): Self.rootWords(name)
    case .schema(let message): .init("not valid: \(message)")
    case .contradiction(let element, let attributes):
      .init("<\(element)> can have only one of \(attributes.joined(separator: " and "))", "remove one of them")
    case .duplicate(let what): .init("\(what) is written twice", "remove one of the two")
    case .expression(let error, let attribute): .init("\(attribute): \(error.words.cause)", error.words.advice)
    case .resolution(let error): error.words
    }
  }

  private static func rootWords(_ name: String) -> ErrorWords {
    let advice: Advice =
      name == "database"
      ? "convert the Xcode mapping model to a mapping file: \(run: "modelctl", "mapping", "convert", "--help")"
      : "make a mapping file: \(run: "modelctl", "mapping", "new", "--help")"
    return .init("the root element is <\(name)> instead of <mappingModel>", advice)
  }
}
