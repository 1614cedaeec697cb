public import Foundation

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
      throw .mapping(location: SourceLocation(file: path, line: 1, column: 1), defect: .compiled)
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
