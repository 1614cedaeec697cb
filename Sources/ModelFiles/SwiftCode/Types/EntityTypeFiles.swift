public import ModelDescription
import VersionHashing

/// Swift structs for the entities of a model, a file each, and for its composite types.
///
/// A struct has every property of its entity, inherited ones included, so that it stands alone. Relationships hold the
/// identifiers of other objects.
public struct EntityTypeFiles: Hashable, Sendable {
  /// The files, in the order of the entities in the model, then the composite types.
  public let files: [GeneratedFile]
  /// How many structs there are.
  public let typeCount: Int
  private let header: String
  private let parts: [String]

  /// Writes plain structs, which need nothing but Foundation: a relationship to many is a set, or an array where there is an
  /// order.
  ///
  /// - Parameters:
  ///   - hierarchy: the model with its inheritance.
  ///   - origin: where the model comes from, shown in documentation comments.
  public init(_ hierarchy: EntityHierarchy, origin: String) {
    let writer = EntityTypeWriter(
      hierarchy: hierarchy, names: EntityTypeNames(hierarchy.model), origin: origin, isStored: false)
    let code = writer.types(of: hierarchy.model)
    header = "import Foundation\n"
    parts = code.map(\.code)
    typeCount = code.count
    files = code.map { [header] in GeneratedFile(name: "\($0.name).swift", code: "\(header)\n\($0.code)") }
  }

  /// Writes structs that are read from a store and saved there, each with a second file beside it.
  ///
  /// - Parameters:
  ///   - hierarchy: the model with its inheritance.
  ///   - origin: where the model comes from, shown in documentation comments.
  /// - Throws: `ModelStructureError` when the entities have no version hashes.
  public init(stored hierarchy: EntityHierarchy, origin: String) throws(ModelStructureError) {
    let names = EntityTypeNames(hierarchy.model, taken: StoredWords.types)
    let writer = EntityTypeWriter(hierarchy: hierarchy, names: names, origin: origin, isStored: true)
    let conformances = StoredTypeWriter(writer: writer, hashes: try VersionHashes(of: hierarchy))
    let (structs, extensions) = (writer.types(of: hierarchy.model), conformances.extensions(of: hierarchy.model))
    header = "// swift-format-ignore-file\nimport Foundation\nimport ModelKit\n"
    parts = structs.map(\.code) + extensions.map(\.code)
    typeCount = structs.count
    files =
      structs.map { [header] in GeneratedFile(name: "\($0.name).swift", code: "\(header)\n\($0.code)") }
      + extensions.map { [header] in GeneratedFile(name: "\($0.name)+Stored.swift", code: "\(header)\n\($0.code)") }
  }

  /// The same in one file.
  ///
  /// - Parameter name: the file's name.
  /// - Returns: the file.
  public func joined(name: String) -> GeneratedFile {
    GeneratedFile(name: name, code: ([header] + parts).joined(separator: "\n"))
  }
}
