import Foundation

/// The one way in which documents become JSON: keys sorted, one value a line, slashes bare.
public enum JSONText {
  /// Encodes a document, with a newline at the end.
  ///
  /// - Throws: `EncodingError` for a number that JSON cannot hold.
  public static func encode(_ document: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }
}
