import Foundation

/// Writes generated files: all of them or none, and none over what somebody wrote by hand.
public struct GeneratedFileWriter: Sendable {
  /// True when files that were edited, or never generated, are replaced.
  public var replacesEverything: Bool

  /// Makes a writer.
  ///
  /// - Parameter replacesEverything: true when files that were edited, or never generated, are replaced.
  public init(replacesEverything: Bool = false) {
    self.replacesEverything = replacesEverything
  }

  /// Writes a file.
  ///
  /// - Parameters:
  ///   - file: the file, whose name does not matter.
  ///   - path: where it goes.
  /// - Throws: ``GeneratedFileError``.
  public func write(_ file: GeneratedFile, to path: String) throws(GeneratedFileError) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw .noFolder(path: path, folder: folder.relativePath)
    }
    try write([(path, Data(file.text.utf8))])
  }

  /// Writes files into a folder, which is made where there is none; other files in it are left alone.
  ///
  /// - Parameters:
  ///   - files: the files, whose names differ in more than case.
  ///   - folder: where they go.
  /// - Throws: ``GeneratedFileError``.
  public func write(_ files: [GeneratedFile], toFolder folder: String) throws(GeneratedFileError) {
    let isNew = try checkFolder(folder)
    if isNew {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw .unwritable(path: folder, reason: error.localizedDescription)
      }
    }
    do {
      try write(files.map { (BundlePath.joined(folder, $0.name), Data($0.text.utf8)) })
    } catch {
      if isNew { try? FileManager.default.removeItem(atPath: folder) }
      throw error
    }
  }

  /// The Swift files of a folder that were generated before and are not among these.
  ///
  /// - Parameters:
  ///   - files: the files that belong there now.
  ///   - folder: the folder.
  /// - Returns: their names, sorted; none where the folder cannot be read.
  public static func leftovers(besides files: [GeneratedFile], inFolder folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let others = Set(names.filter { BundlePath.pathExtension($0) == "swift" }).subtracting(files.map(\.name))
    return others.sorted().filter { name in
      let path = BundlePath.joined(folder, name)
      guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
        attributes[.type] as? FileAttributeType == .typeRegular, let data = FileManager.default.contents(atPath: path)
      else { return false }
      return !data.isEmpty && GeneratedFile.state(of: data) != .foreign
    }
  }

  /// True for a path that is to be one file of Swift; a folder that is there stays one, whatever its name.
  package static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return path.hasSuffix(".swift") && !(exists && isFolder.boolValue)
  }

  /// True when there is no such folder yet.
  private func checkFolder(_ folder: String) throws(GeneratedFileError) -> Bool {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else { return true }
    guard isFolder.boolValue else { throw .inTheWay(path: folder) }
    return false
  }

  private func write(_ files: [(path: String, data: Data)]) throws(GeneratedFileError) {
    var changes: [(path: String, data: Data, oldData: Data?)] = []
    for (path, data) in files {
      let oldData = try oldData(at: path)
      if oldData != data { changes.append((path, data, oldData)) }
    }
    var done: [(path: String, oldData: Data?)] = []
    for (path, data, oldData) in changes {
      do {
        try FileReplacement.write(data, to: path)
        done.append((path, oldData))
      } catch {
        for (path, oldData) in done.reversed() { restore(path, oldData) }
        throw .unwritable(path: path, reason: error.localizedDescription)
      }
    }
  }

  private func restore(_ path: String, _ oldData: Data?) {
    if let oldData {
      try? FileReplacement.write(oldData, to: path)
    } else {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// The bytes that a file has, nil when there is none; only what may be replaced is looked past.
  private func oldData(at path: String) throws(GeneratedFileError) -> Data? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: RealPath.of(path)) else { return nil }
    switch attributes[.type] as? FileAttributeType {
    case .typeDirectory: throw .inTheWay(path: path)
    case .typeRegular: break
    default: return nil
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw .unwritable(path: path, reason: "it cannot be read")
    }
    guard !replacesEverything else { return data }
    switch GeneratedFile.state(of: data) {
    case .untouched: return data
    case .edited: throw .edited(path: path)
    case .foreign: throw .foreign(path: path)
    }
  }
}

/// Why generated files were not written; nothing was.
public enum GeneratedFileError: Error, Hashable, Sendable {
  /// A file that was generated before and edited since.
  case edited(path: String)
  /// A file that was never generated.
  case foreign(path: String)
  /// There is a folder where a file belongs, or a file where the folder belongs.
  case inTheWay(path: String)
  /// The folder of a file is not there.
  case noFolder(path: String, folder: String)
  case unwritable(path: String, reason: String)
}

extension GeneratedFileError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .edited(let path):
      "\(path): was generated and then edited; nothing was written: keep the edits elsewhere, or replace it with --force"
    case .foreign(let path):
      "\(path): was not generated by modelctl; nothing was written: name another place, or replace it with --force"
    case .inTheWay(let path):
      "\(path): something else has this name; nothing was written: name another place with --output"
    case .noFolder(let path, let folder): "\(path): there is no folder “\(folder)”; make it first"
    case .unwritable(let path, let reason):
      "\(path): cannot be written: \(reason); nothing was written: name another place"
    }
  }
}
