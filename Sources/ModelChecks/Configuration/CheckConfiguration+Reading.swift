import Foundation
import ModelDescription
import ModelFiles

extension CheckConfiguration {
  /// Reads a file.
  ///
  /// - Parameter path: the file.
  /// - Throws: `JSONFileError` with the place of what is wrong, and `ModelFileError` when the file cannot be read.
  public init(contentsOf path: String) throws {
    try self.init(try JSONReader.read(fileAt: path), path: path)
  }

  /// Reads the nearest file: in a folder or in one above it, up to the top of the git repository, if it is in one.
  ///
  /// - Parameter folder: the folder to begin in.
  /// - Returns: an empty configuration when there is no file.
  /// - Throws: as ``init(contentsOf:)``.
  public static func nearest(to folder: String = ".") throws -> CheckConfiguration {
    var prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let depth = URL(fileURLWithPath: folder).standardizedFileURL.pathComponents.count
    for _ in 0..<depth {
      let path = prefix + fileName
      if FileManager.default.fileExists(atPath: path) { return try CheckConfiguration(contentsOf: path) }
      if FileManager.default.fileExists(atPath: prefix + ".git") { break }
      prefix += "../"
    }
    return CheckConfiguration()
  }

  init(_ node: JSONNode, path: String) throws(JSONFileError) {
    self.init(path: path)
    let root = try node.object(keys: ["$schema", "rules", "exclude", "released", "unions"])
    _ = try root["$schema"]?.string()
    for member in try root["rules"]?.object().members ?? [] {
      guard Rule.named(member.key) != nil else {
        throw JSONFileError(.wrongValue(UnknownRule(member.key).description), at: member.keyLocation)
      }
      let word = try member.value.string()
      guard let level = Level(rawValue: word) else {
        throw JSONFileError(
          .wrongValue("“\(word)” is no severity; write “off”, “note”, “warning” or “error”"), at: member.value.location)
      }
      levels[member.key] = level
    }
    for node in try root["exclude"]?.array() ?? [] {
      let pattern = PathPattern(try node.string())
      guard !pattern.isEmpty, !pattern.text.hasPrefix("/"), !BundlePath.components(pattern.text).contains("..") else {
        throw JSONFileError(
          .wrongValue("“\(pattern.text)” fits no path; write one below the folder of this file, such as “Pods/**”"),
          at: node.location)
      }
      excluded.append(pattern)
    }
    for node in try root["unions"]?.array() ?? [] { unions.append(try ConfiguredUnion(node)) }
    if let released = try root["released"]?.object(keys: ["tags"]), let node = released["tags"] {
      let pattern = try node.string()
      guard !pattern.isEmpty, !pattern.hasPrefix("-"), !pattern.contains(where: { $0.isNewline || $0 == "\0" }) else {
        throw JSONFileError(.wrongValue("“\(pattern)” fits no tag; write a pattern such as “v*”"), at: node.location)
      }
      releasedTags = pattern
    }
  }
}

extension ConfiguredUnion {
  fileprivate init(_ node: JSONNode) throws(JSONFileError) {
    var paths: [String] = []
    for item in try node.array() {
      let path = BundlePath.trimmed(try item.string())
      guard ModelBundle.Form(rawValue: BundlePath.pathExtension(path)) != nil else {
        throw JSONFileError(
          .wrongValue("“\(path)” is no bundle; write the path of an .xcdatamodeld from the folder of this file"),
          at: item.location)
      }
      guard !paths.contains(path) else {
        throw JSONFileError(.wrongValue("“\(path)” is named twice in one union; write it once"), at: item.location)
      }
      paths.append(path)
    }
    guard paths.count > 1 else {
      throw JSONFileError(
        .wrongValue("a union of fewer than two bundles is no union; name the others, or leave it out"),
        at: node.location)
    }
    self.init(paths: paths, location: node.location)
  }
}

extension PathPattern {
  /// True for a pattern that no path fits.
  fileprivate var isEmpty: Bool { text.allSatisfy { $0 == "/" || $0 == "." } }
}
