import Foundation
import ModelFiles

/// The texts of a lock file that messages and commands contain, each checked when it is read.
enum LockFileText {
  /// The name of a version, which is that of a folder.
  static func version(_ node: JSONNode) throws(JSONFileError) -> String {
    let name = try node.string()
    try checkVersion(name, at: node.location)
    return name
  }

  /// The name of an entity, a property or a constraint.
  static func name(_ node: JSONNode) throws(JSONFileError) -> String {
    let name = try node.string()
    guard !name.isEmpty, !holdsControl(name) else {
      throw JSONFileError(
        .wrongValue("“\(name)” is not a name of an entity or a property; restore the entry with git"), at: node.location
      )
    }
    return name
  }

  /// SHA-256 in base64.
  static func digest(_ node: JSONNode) throws(JSONFileError) -> String {
    let digest = try node.string()
    guard let data = Data(base64Encoded: digest), data.count == 32, data.base64EncodedString() == digest else {
      throw JSONFileError(
        .wrongValue("“\(digest)” is not a digest of 32 bytes in base64; restore the entry with git"), at: node.location)
    }
    return digest
  }

  /// A day, such as `2026-11-27`.
  static func day(_ node: JSONNode) throws(JSONFileError) -> String {
    let text = try node.string()
    guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else {
      throw JSONFileError(.wrongValue("“\(text)” is not a date; write it as 2026-11-27"), at: node.location)
    }
    return text
  }

  /// The reason why the support of a version ended.
  static func reason(_ node: JSONNode) throws(JSONFileError) -> String {
    let text = try node.string()
    guard isReason(text) else {
      throw JSONFileError(.wrongValue("this is not a reason; write one line of text"), at: node.location)
    }
    return text
  }

  static func isReason(_ text: String) -> Bool { text.contains { !$0.isWhitespace } && !holdsControl(text) }

  /// Refuses a text that cannot be the name of a folder of a version.
  static func checkVersion(_ name: String, at location: SourceLocation) throws(JSONFileError) {
    guard !isVersion(name) else { return }
    throw JSONFileError(
      .wrongValue("“\(name)” is not a name of a version; write the name of its folder, or restore the entry with git"),
      at: location)
  }

  /// True for the path of a mapping model from the folder of a lock file, as it is written there.
  static func isMappingPath(_ place: String) -> Bool {
    let parts = BundlePath.components(place)
    let inner = parts.drop { $0 == ".." }
    return MappingPath.form(of: place) != nil && !holdsControl(place) && parts.joined(separator: "/") == place
      && !inner.contains { $0 == ".." || $0 == "." }
  }

  /// Refuses a text that is not a path of a mapping model.
  static func checkMappingPath(_ place: String, at location: SourceLocation) throws(JSONFileError) {
    guard !isMappingPath(place) else { return }
    throw JSONFileError(
      .wrongValue(
        """
        “\(place)” is not a path of a mapping model; write a path from the folder of this file, or restore the entry with git
        """), at: location)
  }

  /// True for a text that can be the name of a version's folder.
  static func isVersion(_ name: String) -> Bool {
    !name.isEmpty && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/")) && !holdsControl(name)
  }

  private static func holdsControl(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value }
  }
}
