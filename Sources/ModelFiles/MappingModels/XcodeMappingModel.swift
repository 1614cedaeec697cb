public import Foundation
public import MappingModels
public import ModelDescription

/// What an Xcode mapping model (`.xcmappingmodel`) says, before any rule decides what it leaves open.
///
/// Only what hangs on the mapping model itself is read: files keep objects that were deleted in the editor.
public struct XcodeMappingModel: Hashable, Sendable {
  /// The file's path.
  public var path: String
  /// The source model as the editor saved it into the file.
  public var source: MappingModelSnapshot
  /// The destination model as the editor saved it into the file.
  public var destination: MappingModelSnapshot
  /// The entity mappings by their numbers.
  public var entityMappings: [XcodeEntityMapping]
  /// What was read past.
  public var notes: [ModelNote]

  /// Reads a mapping model.
  ///
  /// - Parameter path: the bundle `Name.xcmappingmodel`, or the `xcmapping.xml` in it.
  /// - Throws: ``ModelFileError``, with a place wherever the file has one.
  public init(contentsOf path: String) throws(ModelFileError) {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    let file = exists && isFolder.boolValue ? BundlePath.joined(BundlePath.trimmed(path), "xcmapping.xml") : path
    try self.init(try FileBytes.read(file), path: file)
  }

  /// Reads the text of an `xcmapping.xml`.
  ///
  /// - Parameters:
  ///   - data: the text; it may be hostile.
  ///   - path: the path that places name.
  /// - Throws: ``ModelFileError``.
  public init(_ data: Data, path: String) throws(ModelFileError) {
    guard !data.starts(with: Data("bplist".utf8)) else {
      throw .mapping(location: SourceLocation(file: path, line: 1, column: 1), finding: .compiled)
    }
    self = try XcodeMappingReader.read(try XMLStoreDocument(try MarkupReader.read(data, path: path)), path: path)
  }

  init(
    path: String, source: MappingModelSnapshot, destination: MappingModelSnapshot,
    entityMappings: [XcodeEntityMapping], notes: [ModelNote]
  ) {
    self.path = path
    self.source = source
    self.destination = destination
    self.entityMappings = entityMappings
    self.notes = notes
  }
}

extension XcodeMappingModel {
  /// The mapping model that Apple's `mapc` makes of this file, against the models it carries.
  ///
  /// - Throws: ``ModelFileError/mapping(location:finding:)`` for an expression or a filter that cannot be computed and
  ///   for two entity mappings of one name.
  public func compiled() throws(ModelFileError) -> MappingModel {
    try compilation().mapping
  }

  /// The same as ``compiled()``, with notes on what the rules had to guess or pass over.
  ///
  /// - Throws: ``ModelFileError/mapping(location:finding:)``.
  public func compilation() throws(ModelFileError) -> MappingCompilation {
    var compiler = try MappingCompiler(self)
    return try compiler.compile()
  }
}

extension XcodeMappingModel {
  /// How the models changed since they were saved into the mapping model.
  ///
  /// - Parameters:
  ///   - source: the source model as its file has it, nil to leave it out.
  ///   - destination: the destination model as its file has it, nil to leave it out.
  /// - Returns: what changed, the source's changes first; empty exactly when all hashes are equal.
  /// - Throws: `ModelStructureError`.
  public func drift(
    source: EntityHierarchy?, destination: EntityHierarchy?
  ) throws(ModelStructureError) -> [MappingDrift] {
    var drifts: [MappingDrift] = []
    if let source {
      drifts += try MappingDrift.between(self.source.hierarchy, and: source, side: .source)
    }
    if let destination {
      drifts += try MappingDrift.between(self.destination.hierarchy, and: destination, side: .destination)
    }
    return drifts
  }
}

extension XcodeMappingModel {
  /// The place of an entity mapping or of one of its properties, else of what holds it.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name, as compiling gives it; nil for the whole file.
  ///   - property: the destination property; nil for the whole mapping.
  /// - Returns: the place.
  public func location(ofMapping name: String?, property: String?) -> SourceLocation {
    guard let name, let mapping = entityMappings.first(where: { MappingCompiler.name(of: $0) == name }) else {
      return SourceLocation(file: path, line: 1, column: 1)
    }
    let properties = mapping.attributeMappings + mapping.relationshipMappings
    return properties.first { $0.name == property }?.location ?? mapping.location
  }
}
