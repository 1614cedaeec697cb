package import Foundation

/// One version of a model in a bundle.
public struct ModelVersion: Hashable, Sendable {
  /// The form of its file.
  public enum Form: Hashable, Sendable {
    /// The editor's XML.
    case contents
    /// The editor's archive from before XML.
    case elements
    /// The compiled model.
    case compiled

    /// Reads a model from the bytes of a file of this form.
    package func read(_ bytes: Data, path: String) throws(ModelFileError) -> ModelFile {
      switch self {
      case .contents: try ContentsReader.read(bytes, path: path)
      case .elements: try ElementsReader.read(bytes, path: path)
      case .compiled: try CompiledModelReader.read(bytes, path: path)
      }
    }
  }

  /// The version's name, without an extension.
  public let name: String
  /// The path of the version: a `.xcdatamodel` folder or a `.mom` file.
  public let path: String
  /// The name of its bundle, without an extension.
  public let bundleName: String
  /// The path of the file the model is in.
  public let filePath: String
  /// The form of that file.
  public let form: Form

  /// Reads the version's model.
  ///
  /// - Throws: ``ModelFileError``.
  public func load() throws(ModelFileError) -> ModelFile { try load(bytes()) }

  /// The bytes of the version's file.
  package func bytes() throws(ModelFileError) -> Data { try FileBytes.read(filePath) }

  /// Reads the version's model from the bytes of its file.
  package func load(_ bytes: Data) throws(ModelFileError) -> ModelFile { try form.read(bytes, path: filePath) }

  /// The version and its bundle as the command line takes them: `Bundle@version`.
  public var qualifiedName: String { "\(bundleName)@\(name)" }
}
