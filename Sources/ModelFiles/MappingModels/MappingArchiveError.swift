/// What is wrong with an archive in a mapping model's file.
public enum MappingArchiveError: Error, Hashable, Sendable {
  /// It cannot be read.
  case unreadable(ModelFileError)
  case empty
  case noMappingModel
  case noEntityMappings
  case unnamedEntityMapping
  case duplicateEntityMapping(String)
  case unknownType(Int64)
  case noHash
  case unnamedPropertyMapping
}

extension MappingArchiveError: CustomStringConvertible {
  /// The cause in a few words.
  public var description: String {
    switch self {
    case .unreadable(let error): error.archiveReason
    case .empty: "it archives nothing"
    case .noMappingModel: "it archives no NSMappingModel"
    case .noEntityMappings: "it has no entity mappings"
    case .unnamedEntityMapping: "an entity mapping has no name"
    case .duplicateEntityMapping(let name): "two entity mappings are named \(name)"
    case .unknownType(let number): "its type \(number) is unknown"
    case .noHash: "it is no hash of 32 bytes"
    case .unnamedPropertyMapping: "a property mapping names no property"
    }
  }
}
