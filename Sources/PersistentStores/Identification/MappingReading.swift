import Foundation
import MappingModels
public import ModelFiles

/// A mapping model's file of any form as it was read, before it is held against any versions.
public struct MappingReading: Sendable {
  /// What a file of each form says.
  public enum Content: Sendable {
    case document(MappingFile)
    /// The file, and what it means for the models that it carries, or why it means nothing.
    case xcode(XcodeMappingModel, Result<MappingCompilation, ModelFileError>)
    case compiled(CompiledMappingModel)
  }

  /// The path of the file.
  public let path: String
  /// What it says, or why it cannot be read.
  public let content: Result<Content, any Error>

  /// Reads a file.
  ///
  /// - Parameter path: the path of the file.
  public init(contentsOf path: String) {
    self.path = path
    content = Result { try Self.content(of: path) }
  }

  /// Reads files on all cores.
  ///
  /// - Parameter paths: the paths of the files.
  /// - Returns: the files in the order of their paths.
  public static func all(at paths: [String]) -> [MappingReading] {
    paths.concurrentMap { MappingReading(contentsOf: $0) }
  }

  private static func content(of path: String) throws -> Content {
    switch MappingPath.form(of: path) {
    case .xcode?:
      let file = try XcodeMappingModel(contentsOf: path)
      return .xcode(file, Result { () throws(ModelFileError) in try file.compilation() })
    case .compiled?: return .compiled(try CompiledMappingModel(contentsOf: path))
    case .document?, nil: return .document(try MappingFile(contentsOf: path))
    }
  }
}
