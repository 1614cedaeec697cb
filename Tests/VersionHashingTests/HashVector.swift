import Foundation
import TestSupport
import Testing

/// One record of the corpus: what Core Data computed for a model.
struct HashVector: Decodable, Sendable, CustomTestStringConvertible {
  var hashes: [String: String]
  var digest: String?
  var checksum: String?
  var model: String?
  var source: String
  var kind: String

  var testDescription: String { "\(kind) \(source)" }

  static let all: [HashVector] = {
    guard let file = Corpus.folder?.appendingPathComponent("version-hash-vectors.jsonl"),
      let text = try? String(contentsOf: file, encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(HashVector.self, from: Data($0.utf8)) }
  }()
}
