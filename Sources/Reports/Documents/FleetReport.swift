import ModelDescription
import PersistentStores
public import StoreFleets
import StoreMigration

/// The counts of a migration of many stores: the last of the JSON lines of `migrate`.
public struct FleetReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The kind of the line, which differs from the lines of stores.
  public let kind = "summary"
  /// The counts.
  public let summary: FleetSummary
  /// The number of stores that were migrated at the same time.
  public let jobs: Int
  /// The part of the stores, such as `2/8`; nil for all.
  public let shard: Shard?
  /// The journal's file; nil if none is kept.
  public let journal: String?
  /// True if copies were migrated and deleted.
  private let isRehearsal: Bool

  /// Creates a report of a run.
  public init(_ summary: FleetSummary, jobs: Int, shard: Shard?, journal: String?, isRehearsal: Bool = false) {
    (self.summary, self.jobs, self.shard, self.journal) = (summary, jobs, shard, journal)
    self.isRehearsal = isRehearsal
  }

  private enum CodingKeys: CodingKey {
    case version, kind, stores, migrated, alreadyCurrent, rehearsed, finishedBefore, failed, remaining, passedOver
    case seconds, jobs, shard, journal, interrupted
  }

  private enum PassedOverKeys: CodingKey {
    case files, backups, links
  }

  /// Encodes every key; keys without a value are null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(kind, forKey: .kind)
    try container.encode(summary.storeCount, forKey: .stores)
    try container.encode(summary.migrated, forKey: .migrated)
    try container.encode(summary.alreadyCurrent, forKey: .alreadyCurrent)
    try container.encode(summary.rehearsed, forKey: .rehearsed)
    try container.encode(summary.finishedBefore, forKey: .finishedBefore)
    try container.encode(summary.failed, forKey: .failed)
    try container.encode(summary.remaining, forKey: .remaining)
    try container.encode((summary.seconds * 1000).rounded() / 1000, forKey: .seconds)
    try container.encode(jobs, forKey: .jobs)
    try container.encode(shard?.description, forKey: .shard)
    try container.encode(journal, forKey: .journal)
    try container.encode(summary.isInterrupted, forKey: .interrupted)
    var passedOver = container.nestedContainer(keyedBy: PassedOverKeys.self, forKey: .passedOver)
    try passedOver.encode(summary.passedOver.files, forKey: .files)
    try passedOver.encode(summary.passedOver.backups, forKey: .backups)
    try passedOver.encode(summary.passedOver.links, forKey: .links)
  }

  /// The counts, and the next steps.
  public var text: String {
    (TextWidth.isSpoken ? sentences : table)
      + advice.flatMap { WrappedText.lines($0, lead: "", indent: "  ") }.map { $0 + "\n" }.joined() + list
  }

  private var table: String {
    let rows =
      (counts.map { ($0.name, Quantity.grouped(Int64($0.count))) } + [("skipped", passedOver), ("time", time)])
      + (journal.map { [("journal", $0)] } ?? [])
    return rows.map { name, value in name + String(repeating: " ", count: 18 - name.count) + value + "\n" }.joined()
  }

  /// The counts as a sentence, failures first and without zeros.
  private var sentences: String {
    let counts = (counts.suffix(1) + counts.dropLast()).filter { $0.count > 0 }
      .map { "\($0.name) \(Quantity.text($0.count, "store"))" }
    let words =
      (counts.isEmpty ? ["no store"] : counts) + (summary.passedOver.total > 0 ? ["skipped \(passedOver)"] : [])
    let sentence = words.joined(separator: ", ") + "; \(time)."
    return sentence.prefix(1).uppercased() + sentence.dropFirst() + "\n" + (journal.map { "journal: \($0)\n" } ?? "")
  }

  /// The numbers of stores; failures are last.
  private var counts: [(name: String, count: Int)] {
    let done = isRehearsal ? ("would migrate", summary.rehearsed) : ("migrated", summary.migrated)
    let sometimes = [
      ("would migrate", isRehearsal ? 0 : summary.rehearsed), ("finished before", summary.finishedBefore),
      ("remaining", summary.remaining),
    ]
    return [done, ("already current", summary.alreadyCurrent)] + sometimes.filter { $0.1 > 0 }
      + [("failed", summary.failed)]
  }

  private var passedOver: String {
    let parts = [
      (summary.passedOver.files, "other file"), (summary.passedOver.backups, "backup"),
      (summary.passedOver.links, "symbolic link"),
    ].filter { $0.0 > 0 }.map { Quantity.text($0, $1) }
    return Quantity.grouped(Int64(summary.passedOver.total))
      + (parts.isEmpty ? "" : " (\(parts.joined(separator: ", ")))")
  }

  private var time: String {
    let worked = summary.migrated + summary.alreadyCurrent + summary.rehearsed + summary.failed
    let rate = summary.seconds > 1 ? ", \(Quantity.grouped(Int64(Double(worked) / summary.seconds))) per second" : ""
    return "\(ElapsedTime.text(summary.seconds))\(rate), \(jobs) at a time"
  }

  private var advice: [String] {
    var lines: [String] = []
    if summary.isInterrupted {
      lines.append("Interrupted. To continue with the remaining stores, run the same command again.")
    }
    if summary.failed > 0 {
      lines.append("Failed stores are unchanged. To try them again, run the same command again.")
    }
    return lines
  }

  private var list: String {
    guard summary.failed > 0, let journal else { return "" }
    return "  sqlite3 \(ShellWord(path: journal).text) \"SELECT given, message FROM store WHERE state = 'failed'\"\n"
  }
}

/// The result of one of many stores: a JSON line of `migrate`.
public struct FleetStoreReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The kind of the line, which differs from the summary.
  public let kind = "store"
  /// The result, as for a single store.
  public let store: MigrationReport.Store
  /// The store's UUID; nil if it failed.
  public let uuid: String?
  /// The duration in seconds; nil if the store could not be opened.
  public let seconds: Double?
  /// The number of the attempt, from 1.
  public let attempt: Int

  private enum CodingKeys: CodingKey {
    case version, kind, uuid, seconds, attempt
  }

  /// Creates a report of a store; nil for a store that was skipped or interrupted.
  public init?(_ result: FleetResult) {
    switch result.ending {
    case .finished(let outcome):
      store = MigrationReport.Store(outcome, entities: [])
      uuid = outcome.uuid
    case .failed(let error):
      store = MigrationReport.Store(path: result.store.path, error: error)
      uuid = nil
    case .passedOver, .interrupted: return nil
    }
    seconds = (result.seconds * 1e6).rounded() / 1e6
    attempt = result.store.attempt
  }

  /// Creates a report of a store that could not be opened.
  public init(path: String, error: any Error) {
    store = MigrationReport.Store(path: path, error: error)
    (uuid, seconds, attempt) = (nil, nil, 1)
  }

  /// Encodes every key; keys without a value are null.
  public func encode(to encoder: any Encoder) throws {
    try store.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(kind, forKey: .kind)
    try container.encode(uuid, forKey: .uuid)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(attempt, forKey: .attempt)
  }
}
