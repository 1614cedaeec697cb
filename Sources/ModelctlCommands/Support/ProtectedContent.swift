import Foundation
import ModelKit

/// What a file can hold that no output takes the place of.
enum ProtectedContent {
  /// How many bytes of a file are looked at.
  private static let startSize = 16_384

  private static let beginnings: [(bytes: Data, words: String)] = [
    (Data("SQLite format 3\u{0}".utf8), "an SQLite database"),
    (Data([0x37, 0x7F, 0x06, 0x82]), "the log of an SQLite database"),
    (Data([0x37, 0x7F, 0x06, 0x83]), "the log of an SQLite database"),
    (Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]), "the journal of an SQLite database"),
    (Data("bplist00".utf8), "a property list, such as a compiled model"),
  ]

  /// Why what lies at a path stays, nil when it can be replaced or nothing is there.
  static func refusal(at path: String) -> String? {
    holding(at: RealPath.of(path)).map { "it is \($0), which must not be replaced" }
  }

  private static func holding(at place: String) -> String? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: place)
    guard attributes?[.type] as? FileAttributeType == .typeRegular, let file = FileHandle(forReadingAtPath: place)
    else { return nil }
    defer { try? file.close() }
    guard let start = try? file.read(upToCount: startSize) else { return nil }
    if let known = beginnings.first(where: { start.starts(with: $0.bytes) }) { return known.words }
    if let kind = StoreKinds.kind(ofFile: place) { return "a store of the kind \(kind.name)" }
    let text = String(decoding: start, as: UTF8.self).drop { $0 == "\u{FEFF}" || $0.isWhitespace }
    guard text.hasPrefix("<") else { return nil }
    if text.range(of: #"<mappingModel[\s>]"#, options: .regularExpression) != nil { return "a mapping model" }
    return text.range(of: #"<model\s[^>]*documentVersion="#, options: .regularExpression) != nil ? "a model" : nil
  }
}
