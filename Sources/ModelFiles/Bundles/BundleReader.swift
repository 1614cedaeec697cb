public import Foundation
import ModelDescription

/// Reads the files of a bundle that are not models.
struct BundleReader {
  let path: String
  let name: String

  func versions(_ form: ModelBundle.Form) throws(ModelFileError) -> [ModelVersion] {
    switch form {
    case .single: [editorVersion(at: path)]
    case .compiledSingle: [compiledVersion(at: path)]
    case .versioned: try entries(withExtension: "xcdatamodel").map { editorVersion(at: $0) }
    case .compiled: try entries(withExtension: "mom").map { compiledVersion(at: $0) }
    }
  }

  /// The version in a folder of this bundle; nil if the folder contains no model.
  func version(at folder: String) -> ModelVersion? {
    let version = editorVersion(at: BundlePath.trimmed(folder))
    return FileManager.default.fileExists(atPath: version.filePath) ? version : nil
  }

  /// The name in `.xccurrentversion`, without the extension; nil if the file does not exist.
  func currentVersionName() throws(ModelFileError) -> String? {
    let file = BundlePath.joined(path, CurrentVersionFile.name)
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    let data = try FileBytes.read(file)
    let list: PropertyList
    do {
      list = try CurrentVersionFile.list(decoding: data, path: file)
    } catch {
      throw PropertyListFile.failure(error, of: file)
    }
    guard case .dictionary(let values) = list else { throw .brokenPropertyList(path: file, .noDictionary) }
    switch values[CurrentVersionFile.key] {
    case .string(let name)?: return BundlePath.stem(name)
    case nil: return nil
    default: throw .brokenPropertyList(path: file, .noString(key: CurrentVersionFile.key))
    }
  }

  func versionInfo() throws(ModelFileError) -> CompiledVersionInfo? {
    let file = BundlePath.joined(path, "VersionInfo.plist")
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    return CompiledVersionInfo(try PropertyListFile.read(file))
  }

  private func entries(withExtension wanted: String) throws(ModelFileError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw .unreadable(path: path, reason: isThere ? ModelFileError.readingFailed : CommonWords.missingPath)
    }
    return VersionOrder.sorted(names.filter { BundlePath.pathExtension($0) == wanted }, by: BundlePath.stem)
      .map { BundlePath.joined(path, $0) }
  }

  private func editorVersion(at path: String) -> ModelVersion {
    let contents = BundlePath.joined(path, "contents")
    let elements = BundlePath.joined(path, "elements")
    let isArchive =
      !FileManager.default.fileExists(atPath: contents) && FileManager.default.fileExists(atPath: elements)
    return ModelVersion(
      name: BundlePath.stem(path), path: path, bundleName: name, filePath: isArchive ? elements : contents,
      form: isArchive ? .elements : .contents)
  }

  private func compiledVersion(at path: String) -> ModelVersion {
    ModelVersion(name: BundlePath.stem(path), path: path, bundleName: name, filePath: path, form: .compiled)
  }
}

enum PropertyListFile {
  static func read(_ path: String) throws(ModelFileError) -> PropertyList {
    let data = try FileBytes.read(path)
    do {
      return try PropertyList(decoding: data, path: path)
    } catch {
      throw failure(error, of: path)
    }
  }

  /// The error of a file that is not a property list.
  static func failure(_ error: PropertyListError, of path: String) -> ModelFileError {
    if case .badXML(let cause) = error { return cause }
    return .brokenPropertyList(path: path, error)
  }
}

/// The versions in the `VersionInfo.plist` of a compiled bundle.
public struct CompiledVersionInfo: Hashable, Sendable {
  /// `NSManagedObjectModel_CurrentVersionName`.
  public let currentVersionName: String?
  /// `NSManagedObjectModel_VersionHashes`: the entities' hashes by version.
  public let hashes: [String: [String: Data]]
  /// `NSManagedObjectModel_VersionChecksums`: the checksum by version; only newer bundles have it.
  public let checksums: [String: String]

  init(_ list: PropertyList) {
    guard case .dictionary(let values) = list else {
      (currentVersionName, hashes, checksums) = (nil, [:], [:])
      return
    }
    currentVersionName = values["NSManagedObjectModel_CurrentVersionName"]?.string
    hashes = (values["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:])
      .compactMapValues { $0.dictionary?.compactMapValues(\.data) }
    checksums = (values["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:]).compactMapValues(\.string)
  }
}
