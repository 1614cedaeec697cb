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
  public var locations: [WrittenMappingModel.Place: SourceLocation]
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
  /// - Parameter path: the file's path.
  /// - Returns: the mapping file.
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
  /// - Parameters:
  ///   - data: the file's bytes; they may be hostile.
  ///   - path: the path that places name.
  /// - Throws: ``MappingFileError`` with line and column.
  public init(_ data: Data, path: String) throws(MappingFileError) {
    self = try MappingFileReader.read(data, path: path)
  }

  init(
    sourceVersion: String, destinationVersion: String, written: WrittenMappingModel,
    locations: [WrittenMappingModel.Place: SourceLocation], openDecisions: [OpenDecision], path: String
  ) {
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.written = written
    self.locations = locations
    self.openDecisions = openDecisions
    self.path = path
  }

  /// The place of a part, else of what holds it.
  public func location(of place: WrittenMappingModel.Place) -> SourceLocation {
    if let location = locations[place] { return location }
    switch place {
    case .attribute(_, of: let mapping), .relationship(_, of: let mapping): return location(of: .entityMapping(mapping))
    default: return locations[.model] ?? SourceLocation(file: path, line: 1, column: 1)
    }
  }

  /// Decides everything that is not written, as inference does.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that they get.
  /// - Returns: the mapping model.
  /// - Throws: ``MappingFileError`` with the place of the first thing that means nothing for these models.
  public func resolved(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingFileError) -> MappingModel {
    do {
      return try written.resolved(from: source, to: destination)
    } catch {
      throw MappingFileError(cause: .resolution(error), location: location(of: error.place))
    }
  }

  /// The same where inference cannot decide everything: what it cannot is left empty.
  ///
  /// - Parameters:
  ///   - source: the version that the rows have.
  ///   - destination: the version that they get.
  /// - Returns: the mapping model, and what nobody has decided, each with its place.
  /// - Throws: ``MappingFileError`` with the place of the first thing that means nothing for these models.
  public func resolvedAsFarAsPossible(
    from source: EntityHierarchy,
    to destination: EntityHierarchy
  ) throws(MappingFileError) -> (model: MappingModel, undecided: [MappingFileError]) {
    do {
      let (model, undecided) = try written.resolvedAsFarAsPossible(from: source, to: destination)
      return (model, undecided.map { MappingFileError(cause: .resolution($0), location: location(of: $0.place)) })
    } catch {
      throw MappingFileError(cause: .resolution(error), location: location(of: error.place))
    }
  }
}

extension MappingFile {
  /// The place of an entity mapping or of one of its properties, else of what holds it.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name; nil for the whole file.
  ///   - property: the destination property; nil for the whole mapping.
  /// - Returns: the place.
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
