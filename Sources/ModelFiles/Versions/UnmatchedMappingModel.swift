import Foundation
public import MappingModels
import VersionHashing

/// A mapping model's file of any form as it was read, before it is matched with versions.
public struct UnmatchedMappingModel: Sendable {
  /// The content of a file, by its form.
  public enum Content: Sendable {
    case document(MappingFile)
    /// The file, and its compilation for the models inside, or the error of the compilation.
    case xcode(XcodeMappingModel, Result<MappingCompilation, ModelFileError>)
    case compiled(MappingCompilation)
  }

  /// The path of the file.
  public let path: String
  /// The content, or the error of reading it.
  public let content: Result<Content, any Error>
  /// SHA-256 of the file's bytes in base64; nil if they cannot be read.
  ///
  /// Lines of text count as if they ended with a line feed alone, because git may write them with a carriage return.
  public let digest: String?

  /// Reads a file.
  ///
  /// - Returns: the content, or the error of reading it.
  public static func read(_ path: String) -> UnmatchedMappingModel { read(path, sharing: [:]) }

  /// Reads a file, unless its bytes have been read already.
  private static func read(_ path: String, sharing others: [String: UnmatchedMappingModel]) -> UnmatchedMappingModel {
    let file = file(of: path)
    guard let bytes = try? FileBytes.read(file) else {
      return UnmatchedMappingModel(path: path, content: Result { try unreadable(path) }, digest: nil)
    }
    let digest = TextDigest.base64(of: MappingPath.form(of: path) == .compiled ? bytes : bytes.withPlainLineEnds)
    return UnmatchedMappingModel(
      path: path, content: others[digest]?.content ?? Result { try Self.content(of: bytes, path, in: file) },
      digest: digest)
  }

  /// Reads files on all cores.
  ///
  /// - Parameters:
  ///   - others: files that were read before; what has the same bytes as one of them is taken from there.
  ///   - replacements: the project's replacements of policy classes, which each file gets beside its own.
  /// - Returns: the files in the order of their paths.
  public static func all(
    at paths: [String], sharing others: [UnmatchedMappingModel] = [],
    replacing replacements: PolicyReplacements = .init()
  ) -> [UnmatchedMappingModel] {
    let known = Dictionary(others.compactMap { other in other.digest.map { ($0, other) } }) { first, _ in first }
    return paths.concurrentMap { read($0, sharing: known).replacing(replacements) }
  }

  /// The same with the project's replacements of policy classes.
  private func replacing(_ replacements: PolicyReplacements) -> UnmatchedMappingModel {
    guard !replacements.isEmpty else { return self }
    let place = RealPath.of(path)
    func added(_ model: MappingModel) -> MappingModel {
      var model = model
      model.policyReplacements = replacements.adding(
        to: model.policyReplacements, classes: model.entityMappings.compactMap(\.policyClassName), at: place)
      return model
    }
    return UnmatchedMappingModel(
      path: path,
      content: content.map { content in
        switch content {
        case .document(var file):
          file.written.policyReplacements = replacements.adding(
            to: file.written.policyReplacements, classes: file.written.entityMappings.compactMap(\.policyClassName),
            at: place)
          return .document(file)
        case .xcode(let file, let compilation):
          return .xcode(file, compilation.map { MappingCompilation(mapping: added($0.mapping), notes: $0.notes) })
        case .compiled(let compilation):
          return .compiled(MappingCompilation(mapping: added(compilation.mapping), notes: compilation.notes))
        }
      }, digest: digest)
  }

  /// The file with the content of a path: for a bundle of Xcode, the file inside.
  private static func file(of path: String) -> String {
    var isFolder: ObjCBool = false
    guard MappingPath.form(of: path) == .xcode, FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
      isFolder.boolValue
    else { return path }
    return BundlePath.joined(BundlePath.trimmed(path), "xcmapping.xml")
  }

  private static func content(of bytes: Data, _ path: String, in file: String) throws -> Content {
    switch MappingPath.form(of: path) {
    case .xcode?:
      let model = try XcodeMappingModel(bytes, path: file)
      return .xcode(model, Result { () throws(ModelFileError) in try model.compilation() })
    case .compiled?: return .compiled(try CompiledMappingReader.read(bytes, path: file))
    case .document?, nil: return .document(try MappingFile(bytes, path: file))
    }
  }

  /// Throws the error of an unreadable file for its form.
  private static func unreadable(_ path: String) throws -> Content {
    switch MappingPath.form(of: path) {
    case .xcode?:
      let model = try XcodeMappingModel(contentsOf: path)
      return .xcode(model, Result { () throws(ModelFileError) in try model.compilation() })
    case .compiled?: return .compiled(try CompiledMappingReader.read(fileAt: path))
    case .document?, nil: return .document(try MappingFile.read(path))
    }
  }
}

extension Data {
  /// The bytes without each carriage return before a line feed.
  fileprivate var withPlainLineEnds: Data {
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    guard contains(carriageReturn) else { return self }
    var plain = Data(capacity: count)
    for (position, byte) in zip(indices, self) {
      let next = index(after: position)
      if byte != carriageReturn || next == endIndex || self[next] != lineFeed { plain.append(byte) }
    }
    return plain
  }
}
