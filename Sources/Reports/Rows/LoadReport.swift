import ModelFiles
public import StoreContents

/// The result of a loading.
public struct LoadReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  private let source: String
  private let store: String
  private let modelVersion: String
  private let isNew: Bool
  private let inserted: [String: Int]
  private let updated: [String: Int]
  private let rounded: [Rounded]

  private enum CodingKeys: CodingKey {
    case version, source, store, modelVersion, isNew, inserted, updated, rounded
  }

  private struct Rounded: Encodable {
    let entity: String
    let property: String
    let count: Int
    let first: String
    let file: String
    let line: Int

    init(_ numbers: RoundedNumbers) {
      (entity, property, count) = (numbers.entity, numbers.path.joined(separator: "."), numbers.count)
      (first, file, line) = ("\(numbers.first)", numbers.location.file, numbers.location.line)
    }

    var text: String {
      let counted = count == 1 ? "1 number has" : "\(count) numbers have"
      return """
        note: \(PrintableText.line("\(entity).\(property)")): \(counted) more digits than an SQLite store keeps
          \(PrintableText.line(file)):\(line): \(first)

        """
    }
  }

  /// Creates a report of a loading.
  ///
  /// - Parameter source: the file or the folder.
  public init(_ outcome: StoreLoading.Outcome, from source: String, to store: String, version: String) {
    (self.source, self.store, modelVersion) = (source, store, version)
    (isNew, inserted, updated) = (outcome.isNew, outcome.inserted, outcome.updated)
    rounded = outcome.rounded.map { Rounded($0) }
  }

  /// The result, one line per entity, and the numbers that lost digits.
  public var text: String {
    let made = isNew ? "made with version \(PrintableText.line(modelVersion)), " : ""
    var text = "\(PrintableText.line(store)): \(made)\(Self.counted(inserted)) inserted"
    if !updated.isEmpty { text += ", \(Self.counted(updated)) updated" }
    for entity in Set(inserted.keys).union(updated.keys).sorted() {
      let parts = [(inserted[entity], "inserted"), (updated[entity], "updated")]
        .compactMap { count, word in count.map { updated.isEmpty ? "\($0)" : "\($0) \(word)" } }
      text += "\n  \(PrintableText.line(entity)): \(parts.joined(separator: ", "))"
    }
    return "\(text)\n" + rounded.map(\.text).joined()
  }

  private static func counted(_ counts: [String: Int]) -> String { Quantity.text(counts.values.reduce(0, +), "object") }
}
