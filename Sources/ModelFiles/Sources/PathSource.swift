import Foundation

/// Finds the model at an existing path.
enum PathSource {
  static func resolve(_ path: String) throws(ModelFileError) -> ModelSource {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isFolder.boolValue ? .version(try version(inFolder: path)) : try file(path)
  }

  private static func version(inFolder path: String) throws(ModelFileError) -> ModelVersion {
    let fileExtension = BundlePath.pathExtension(path).lowercased()
    let folder = BundleLink.version(of: path)
    let parent = BundlePath.parent(folder)
    if fileExtension == "xcdatamodel", BundlePath.pathExtension(parent).lowercased() == "xcdatamodeld",
      let version = BundleReader(path: parent, name: BundlePath.stem(parent)).version(at: folder)
    {
      return version
    }
    if ModelBundle.Form(rawValue: fileExtension) != nil { return try ModelBundle(at: path).currentVersion() }
    let bundles = ModelBundle.bundlePaths(under: path)
    guard !bundles.isEmpty else { throw .notAModel(path: path) }
    return try ModelBundle.only(of: bundles, under: path).currentVersion()
  }

  /// Identifies a file by its first bytes, so that its name needs no extension.
  private static func file(_ path: String) throws(ModelFileError) -> ModelSource {
    let kind = try? FileManager.default.attributesOfItem(atPath: RealPath.of(path))[.type] as? FileAttributeType
    guard kind == .typeRegular, !SwiftDataSources.isFile(path) else { throw .notAModel(path: path) }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw .unreadable(path: path, reason: ModelFileError.readingFailed)
    }
    defer { try? handle.close() }
    let head = (try? handle.read(upToCount: 512)) ?? Data()
    guard !head.isEmpty else { throw .empty(path: path) }
    guard !head.starts(with: Data("SQLite format 3\0".utf8)) else { throw .notAModel(path: path) }
    guard head.starts(with: Data("bplist".utf8)) else {
      // A text in two or four bytes per character has zeros too, but begins with the tag.
      let isText = !head.contains(0) || head.prefix(8).contains(UInt8(ascii: "<"))
      guard isText, head.contains(UInt8(ascii: "<")) else { throw .notAModel(path: path) }
      return source(path, form: .contents)
    }
    return source(path, form: try ArchiveKind.form(of: try FileBytes.read(path), path: path))
  }

  /// A file inside a version folder of a bundle is that version, also by a link to one of the two.
  private static func source(_ path: String, form: ModelVersion.Form) -> ModelSource {
    let file = BundleLink.file(of: path)
    let folder = BundleLink.version(of: BundlePath.parent(file))
    let bundle = BundlePath.parent(folder)
    if BundlePath.pathExtension(folder) == "xcdatamodel", BundlePath.pathExtension(bundle) == "xcdatamodeld",
      let version = BundleReader(path: bundle, name: BundlePath.stem(bundle)).version(at: folder),
      version.filePath == BundlePath.joined(folder, BundlePath.lastComponent(file))
    {
      return .version(version)
    }
    return .file(path: path, form: form)
  }
}

/// The two kinds of archive that contain a model.
enum ArchiveKind {
  static func form(of data: Data, path: String) throws(ModelFileError) -> ModelVersion.Form {
    guard let root = try KeyedArchive(data, path: path).root else {
      throw .brokenArchive(path: path, reason: "it contains no object")
    }
    if root.isKind(of: "NSManagedObjectModel") { return .compiled }
    if root.isKind(of: "XDPMModel") { return .elements }
    throw .notAModel(path: path)
  }
}
