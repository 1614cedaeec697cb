public import Foundation
public import MappingModels
public import ModelDescription
public import VersionHashing

/// The content of an Xcode mapping model (`.xcmappingmodel`), before open parts are resolved.
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
  /// Notes on ignored parts.
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
  /// - Parameter data: the text; it may be hostile.
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
    (self.path, self.source, self.destination) = (path, source, destination)
    (self.entityMappings, self.notes) = (entityMappings, notes)
  }

  /// The mapping model that Apple's `mapc` makes of this file, against the models it carries.
  ///
  /// - Throws: ``ModelFileError/mapping(location:finding:)`` for an expression or a filter that cannot be computed and
  ///   for two entity mappings of a single name.
  public func compiled() throws(ModelFileError) -> MappingModel { try compilation().mapping }

  /// The same as ``compiled()``, with notes on what the rules had to guess or pass over.
  public func compilation() throws(ModelFileError) -> MappingCompilation {
    var compiler = try MappingCompiler(self)
    return try compiler.compile()
  }

  /// How the models changed since they were saved into the mapping model.
  ///
  /// - Parameters:
  ///   - source: the source model as its file has it, nil to leave it out.
  ///   - destination: the destination model as its file has it, nil to leave it out.
  /// - Returns: what changed, the source's changes first; empty exactly when all hashes are equal.
  public func drift(
    source: EntityHierarchy?, destination: EntityHierarchy?
  ) throws(ModelStructureError) -> [MappingDrift] {
    var drifts: [MappingDrift] = []
    if let source { drifts += try MappingDrift.between(self.source.hierarchy, and: source, side: .source) }
    if let destination {
      drifts += try MappingDrift.between(self.destination.hierarchy, and: destination, side: .destination)
    }
    return drifts
  }

  /// The location of an entity mapping or of one of its properties, or of its parent if it has none.
  ///
  /// - Parameters:
  ///   - name: the entity mapping's name, as compiling gives it; nil for the complete file.
  ///   - property: the destination property; nil for the complete mapping.
  public func location(ofMapping name: String?, property: String?) -> SourceLocation {
    guard let name, let mapping = entityMappings.first(where: { MappingCompiler.name(of: $0) == name }) else {
      return SourceLocation(file: path, line: 1, column: 1)
    }
    let properties = mapping.attributeMappings + mapping.relationshipMappings
    return properties.first { $0.name == property }?.location ?? mapping.location
  }
}

/// The reason why an archive in a mapping model's file cannot be used.
public enum MappingArchiveError: Error, Hashable, Sendable {
  /// The archive cannot be read.
  case unreadable(ModelFileError)
  /// The archive contains no object.
  case empty
  /// The archive contains no mapping model.
  case noMappingModel
  /// The mapping model does not have entity mappings.
  case noEntityMappings
  /// An entity mapping lacks a name.
  case unnamedEntityMapping
  /// Two entity mappings have one name.
  case duplicateEntityMapping(String)
  /// The type of an entity mapping is unknown.
  case unknownType(Int64)
  /// A version hash does not have 32 bytes.
  case noHash
  /// A property mapping names no property.
  case unnamedPropertyMapping
}

extension MappingArchiveError: AdvisedError {
  /// Always nil: the error that contains this one names the location.
  public var place: String? { nil }

  /// The cause in a few words.
  public var cause: String {
    switch self {
    case .unreadable(let error): error.archiveReason
    case .empty: "it contains no object"
    case .noMappingModel: "it contains no NSMappingModel"
    case .noEntityMappings: "it has no entity mappings"
    case .unnamedEntityMapping: "an entity mapping has no name"
    case .duplicateEntityMapping(let name): "two entity mappings are named \(name)"
    case .unknownType(let number): "its type \(number) is unknown"
    case .noHash: "it is not a hash of 32 bytes"
    case .unnamedPropertyMapping: "a property mapping names no property"
    }
  }

  /// Always nil: the error that contains this one has the remedy.
  public var advice: Advice? { nil }
}

/// An entity mapping as an Xcode mapping model writes it.
public struct XcodeEntityMapping: Hashable, Sendable {
  /// Its location in the file.
  public var location: SourceLocation
  /// Its position in the order of mappings; nil if it has none.
  public var number: Int?
  /// Its name when the author gave one.
  public var name: String?
  /// The source entity.
  public var source: String?
  /// The destination entity.
  public var destination: String?
  /// The class of the policy.
  public var policyClassName: String?
  /// The text of the predicate that chooses source objects.
  public var filter: String?
  /// The explicit source expression, which counts only when the expression is not generated.
  public var sourceExpression: ArchivedExpression?
  /// The mappings of attributes in the file's order.
  public var attributeMappings: [XcodePropertyMapping]
  /// The mappings of relationships in the file's order.
  public var relationshipMappings: [XcodePropertyMapping]
  /// The developer's own entries.
  public var userInfo: [String: String]
}

/// A mapping of an attribute or a relationship as an Xcode mapping model writes it.
public struct XcodePropertyMapping: Hashable, Sendable {
  /// Its location in the file.
  public var location: SourceLocation
  /// The destination property.
  public var name: String
  /// The author's value expression; it wins over a generated one.
  public var expression: ArchivedExpression?
  /// The key path of the source objects of a relationship.
  public var sourceKeyPath: String?
  /// The entity mapping that made the objects of a relationship.
  public var sourceMappingName: String?
  /// False if a relationship without an expression is empty.
  public var generatesExpression: Bool
  /// The developer's own entries.
  public var userInfo: [String: String]
}

/// One of the two models that an Xcode mapping model carries: what its author saw, whatever became of the model since.
public struct MappingModelSnapshot: Sendable {
  /// The last two components of the path the file names, such as `Shop.xcdatamodeld/Shop 2.xcdatamodel`.
  public var versionPath: String
  /// The model with its inheritance, which is sound.
  public var hierarchy: EntityHierarchy
  /// The hashes of its entities; Core Data selects the mapping model by them.
  public var hashes: VersionHashes
  /// Its location in the file.
  public var location: SourceLocation

  init(versionPath: String, hierarchy: EntityHierarchy, hashes: VersionHashes, location: SourceLocation) {
    (self.versionPath, self.hierarchy, self.hashes) = (versionPath, hierarchy, hashes)
    self.location = location
  }

  /// Takes a version as a mapping model is to carry it.
  public init(versionPath: String, hierarchy: EntityHierarchy, hashes: VersionHashes) {
    self.init(
      versionPath: versionPath, hierarchy: hierarchy, hashes: hashes,
      location: SourceLocation(file: versionPath, line: 1, column: 1))
  }

  /// The model.
  public var model: ManagedObjectModel { hierarchy.model }

  /// The name of the version without folder and extension.
  public var versionName: String { BundlePath.stem(versionPath) }
}

extension MappingModelSnapshot: Hashable {
  /// True for the same model from the same place.
  public static func == (first: MappingModelSnapshot, second: MappingModelSnapshot) -> Bool {
    first.versionPath == second.versionPath && first.hashes == second.hashes && first.location == second.location
      && first.model == second.model
  }

  /// Hashes what distinguishes snapshots.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(versionPath)
    hasher.combine(hashes)
    hasher.combine(location)
  }
}
