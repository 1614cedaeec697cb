import Foundation
import ModelDescription
import PersistentStores
public import StoreRows

/// The persistent history of a store.
public struct StoreHistoryReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// Whether the store keeps history.
  public let isKept: Bool
  private let transactions: [Transaction]
  private var kind: String?

  private enum CodingKeys: CodingKey {
    case version, isKept, transactions
  }

  private struct Transaction: Encodable {
    let number: Int64
    let date: String?
    let author: String?
    let context: String?
    let process: String?
    let bundle: String?
    let changes: [Change]
  }

  private struct Change: Encodable {
    let change: String
    let entity: String?
    let key: Int64?
    let uri: String?
    let properties: [String]?
    let incoming: [String]?
    let tombstone: [String: String]?
  }

  /// Creates a report of a history.
  public init(_ transactions: [HistoryTransaction], isKept: Bool, store: String) {
    self.isKept = isKept
    self.transactions = transactions.map { transaction in
      Transaction(
        number: transaction.number, date: transaction.moment.map { DateText.of($0) }, author: transaction.author,
        context: transaction.context, process: transaction.process, bundle: transaction.bundle,
        changes: transaction.changes.map { change in
          Change(
            change: change.kind?.word ?? "unknown", entity: change.object?.entity, key: change.object?.key,
            uri: change.object?.uri(inStore: store), properties: change.kind == .update ? change.properties : nil,
            incoming: change.incoming.isEmpty ? nil : change.incoming.map(\.description),
            tombstone: change.kind == .delete ? change.tombstone.compactMapValues(\.text) : nil)
        })
    }
  }

  /// Creates a report of a store whose type does not support history.
  ///
  /// - Parameter kind: the name of the store type, such as `XML`.
  public init(kind: String) { (isKept, transactions, self.kind) = (false, [], kind) }

  /// One paragraph per save, and the number of saves.
  public var text: String {
    if let kind {
      return "the store does not keep persistent history: it is of type \(kind), and only SQLite stores do\n"
    }
    guard isKept else { return "the store does not keep persistent history\n" }
    let saves = transactions.map { transaction in
      let origin = [transaction.author, transaction.context, transaction.process ?? transaction.bundle].compactMap(
        \.self)
      let heading =
        "save \(transaction.number), \(transaction.date ?? "no date")"
        + (origin.isEmpty ? "" : ", by \(origin.map { PrintableText.line($0) }.joined(separator: ", "))")
      return ([heading] + transaction.changes.map(Self.line)).joined(separator: "\n") + "\n\n"
    }
    return saves.joined() + "\(transactions.count) \(transactions.count == 1 ? "save" : "saves")\n"
  }

  private static func line(_ change: Change) -> String {
    let object = change.entity.map { "\($0) \(change.key ?? 0)" } ?? "an object of an unknown entity"
    var line = "  \(change.change) \(object)"
    let changed = (change.properties ?? []) + (change.incoming ?? []).map { "the other end of \($0)" }
    if !changed.isEmpty { line += ": \(changed.map { PrintableText.line($0) }.joined(separator: ", "))" }
    if let tombstone = change.tombstone, !tombstone.isEmpty {
      let values = tombstone.sorted { $0.key < $1.key }.map { PrintableText.line("\($0.key) \($0.value)") }
      line += "; its values were \(values.joined(separator: ", "))"
    }
    return line
  }
}

extension HistoryChange.Kind {
  fileprivate var word: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }
}
