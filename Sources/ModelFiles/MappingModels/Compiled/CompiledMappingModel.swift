public import Foundation
public import MappingModels

/// A compiled mapping model (`.cdm`): the keyed archive of an `NSMappingModel`.
public struct CompiledMappingModel: Hashable, Sendable {
  /// The file's path.
  public var path: String
  /// The mapping model.
  public var mapping: MappingModel
  /// The source expressions as archived, by the name of their entity mapping.
  public var sourceExpressions: [String: ValueExpression]
  /// What was read past.
  public var notes: [ModelNote]

  /// Reads a `.cdm` file.
  ///
  /// - Throws: ``ModelFileError``.
  public init(contentsOf path: String) throws(ModelFileError) {
    try self.init(try FileBytes.read(path), path: path)
  }

  /// Reads an archive's bytes.
  ///
  /// - Parameters:
  ///   - data: the archive; it may be hostile.
  ///   - path: the path that errors name.
  /// - Throws: ``ModelFileError``.
  public init(_ data: Data, path: String) throws(ModelFileError) {
    self = try CompiledMappingReader.read(data, path: path)
  }

  init(
    path: String, mapping: MappingModel, sourceExpressions: [String: ValueExpression], notes: [ModelNote]
  ) {
    self.path = path
    self.mapping = mapping
    self.sourceExpressions = sourceExpressions
    self.notes = notes
  }
}
