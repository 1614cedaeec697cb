import Foundation
import ModelDescription
import StoreRows
import VersionHashing

extension ObjectRecord {
  /// A text a property, by name, without those that have nothing.
  var shownFacts: [String] {
    values.filter { $0.value != .null && $0.value != .objects([]) }.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value.shown)" }
  }
}

extension RecordValue {
  /// The most bytes that are shown as they are.
  private static let shownBytes = 24

  /// The value as part of a line: texts in quotation marks, many bytes by their number and the beginning of their hash.
  var shown: String {
    switch self {
    case .null: "nil"
    case .attribute(.string(let text)): "“\(text)”"
    case .attribute(.binary(let data)), .transformed(let data):
      data.count <= Self.shownBytes
        ? data.base64EncodedString()
        : "\(Quantity.text(data.count, "byte")), SHA-256 \(Self.hash(of: data))"
    case .composite(let elements):
      elements.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.shown)" }.joined(separator: ", ")
    default: text ?? "nil"
    }
  }

  private static func hash(of data: Data) -> String {
    DataDigest.sha256(of: data).prefix(8).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }
}
