import Foundation
import ModelKit

/// The check of output paths, which is the same for all commands.
enum OutputPath {
  /// Refuses a path if the result would replace a store, a file of a store, a model, a mapping model or a lock file.
  ///
  /// - Parameters:
  ///   - path: the path of the result.
  ///   - reserved: the files that the command reads or makes.
  static func check(_ path: String, besides reserved: ReservedFiles = ReservedFiles()) throws(CommandError) {
    guard !isPipe(path), let reason = ProtectedContent.refusal(at: path) ?? reserved.refusal(for: path) else { return }
    throw .unwritable(path: path, reason: reason, advice: "name another file")
  }

  /// True for a pipe or a device, even if the path is a link such as `/dev/stdout`.
  static func isPipe(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }
}

/// Writes a file that must not exist yet.
enum NewFile {
  /// Writes a file, with its folders.
  static func write(_ text: String, to path: String) throws(CommandError) {
    guard !FileManager.default.fileExists(atPath: path) else { throw .fileExists(path: path) }
    do {
      try FileManager.default.createDirectory(atPath: BundlePath.parent(path), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    } catch {
      let (reason, advice) = refusal(of: error, at: path)
      let next: Advice = "print the text by removing this option: \(option: "--write")"
      throw .unwritable(path: path, reason: reason, advice: advice.map { "\($0); or \(next)" } ?? next)
    }
  }

  /// Writes an `.xcmappingmodel` atomically, with its folders.
  static func writeMappingModel(_ text: String, to path: String) throws(CommandError) {
    let path = BundlePath.trimmed(path)
    guard !FileManager.default.fileExists(atPath: path) else { throw .inTheWay(path: path) }
    let draft = BundlePath.joined(BundlePath.parent(path), ".modelctl-\(UUID().uuidString)")
    do {
      try FileManager.default.createDirectory(atPath: BundlePath.parent(path), withIntermediateDirectories: true)
      try FileManager.default.createDirectory(atPath: draft, withIntermediateDirectories: false)
      let file = URL(fileURLWithPath: BundlePath.joined(draft, "xcmapping.xml"))
      try Data(text.utf8).write(to: file, options: .withoutOverwriting)
      try FileManager.default.moveItem(atPath: draft, toPath: path)
    } catch {
      try? FileManager.default.removeItem(atPath: draft)
      let (reason, advice) = refusal(of: error, at: path)
      throw .unwritable(path: path, reason: reason, advice: advice)
    }
  }

  /// The reason why a file cannot be made, and the advice.
  private static func refusal(of error: any Error, at path: String) -> (reason: String, advice: Advice?) {
    var folder = BundlePath.parent(path)
    var isFolder: ObjCBool = false
    while !FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), BundlePath.parent(folder) != folder {
      folder = BundlePath.parent(folder)
    }
    guard isFolder.boolValue else { return ("“\(folder)” is not a folder", "give that file another name") }
    let argument = folder.hasPrefix("-") ? "./\(folder)" : folder
    guard FileManager.default.isWritableFile(atPath: folder) else {
      let name = folder == "." ? "this folder" : "the folder “\(folder)”"
      return ("you may not write to \(name)", "allow it: \(run: "chmod", "u+w", argument)")
    }
    let cause = CommonWords.cause(of: error)
    guard (error as? CocoaError)?.code == .fileWriteOutOfSpace else { return (cause, nil) }
    return (cause, "check the free space: \(run: "df", "-h", argument)")
  }
}

/// The contents that no output may replace.
enum ProtectedContent {
  /// The number of bytes to read from a file.
  private static let startSize = 16_384

  private static let beginnings: [(bytes: Data, words: String)] = [
    (Data("SQLite format 3\u{0}".utf8), "an SQLite database"),
    (Data([0x37, 0x7F, 0x06, 0x82]), "the log of an SQLite database"),
    (Data([0x37, 0x7F, 0x06, 0x83]), "the log of an SQLite database"),
    (Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]), "the journal of an SQLite database"),
    (Data("bplist00".utf8), "a property list, such as a compiled model"),
  ]

  /// The reason to keep the file at a path, or nil if there is no file or it can be replaced.
  static func refusal(at path: String) -> String? {
    holding(at: RealPath.of(path)).map { "it is \($0), and modelctl does not overwrite it" }
  }

  private static func holding(at path: String) -> String? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular, let file = FileBytes.handle(path)
    else { return nil }
    defer { try? file.close() }
    guard let start = try? file.read(upToCount: startSize) else { return nil }
    if let known = beginnings.first(where: { start.starts(with: $0.bytes) }) { return known.words }
    if let kind = StoreKinds.kind(ofFile: path) { return "a store of type \(kind.name)" }
    let text = String(decoding: start, as: UTF8.self).drop { $0 == "\u{FEFF}" || $0.isWhitespace }
    guard text.hasPrefix("<") else { return nil }
    if text.range(of: #"<mappingModel[\s>]"#, options: .regularExpression) != nil { return "a mapping model" }
    return text.range(of: #"<model\s[^>]*documentVersion="#, options: .regularExpression) != nil ? "a model" : nil
  }
}
