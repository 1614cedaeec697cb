import Foundation
import MappingModels
import ModelDescription
public import StoreMigration

/// What became of each store, for people and programs.
public struct MigrationReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The stores in the order asked for.
  public let stores: [Store]

  private enum CodingKeys: CodingKey {
    case version, stores
  }

  /// Takes what became of the stores.
  public init(_ stores: [Store]) { self.stores = stores }

  /// One store.
  public struct Store: Encodable, Hashable, Sendable {
    /// What became of it, first what needs a look.
    public enum Outcome: String, Encodable, Hashable, Sendable, CaseIterable {
      /// Something in its rows or models stands in the way; it is as it was.
      case refused
      /// Something went wrong; it is as it was.
      case failed
      /// It has the new version.
      case migrated
      /// Everything was tried on a copy and nothing was kept.
      case rehearsed
      /// It had the wanted version already.
      case alreadyCurrent = "already-current"
    }

    /// The path as asked for.
    public let path: String
    /// The version it had.
    public let from: String?
    /// The version it has.
    public let to: String?
    /// How it was migrated, nil when there was nothing to run.
    public let strategy: MigrationStrategy?
    /// The number of statements that were run.
    public let steps: Int
    /// The rows of every entity that is not abstract; nil when the store was left as it was, or nobody asked.
    public let rows: [String: Int]?
    private let sourceRows: [String: Int]?
    /// Where the untouched original is.
    public let backup: String?
    /// Why there is no backup; nil when there is one.
    public let backupAbsence: MigrationOutcome.BackupAbsence?
    /// What became of it.
    public let outcome: Outcome
    /// Why it was refused or failed.
    public let error: String?
    /// What else a reader should know.
    public let notes: [String]
    /// What was forecast; nil where too few rows are touched for it to say how long it takes.
    public let forecast: ForecastReport?
    /// What it took instead.
    public let figures: MigrationReport.Figures?

    private enum CodingKeys: CodingKey {
      case path, from, to, strategy, steps, rows, backup, backupAbsence, outcome, error, notes, forecast, figures
    }

    /// Writes every key, those without a value as null.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      try container.encode(from, forKey: .from)
      try container.encode(to, forKey: .to)
      try container.encode(strategy, forKey: .strategy)
      try container.encode(steps, forKey: .steps)
      try container.encode(rows, forKey: .rows)
      try container.encode(backup, forKey: .backup)
      try container.encode(backupAbsence, forKey: .backupAbsence)
      try container.encode(outcome, forKey: .outcome)
      try container.encodeIfPresent(error, forKey: .error)
      try container.encode(notes, forKey: .notes)
      try container.encodeIfPresent(forecast, forKey: .forecast)
      try container.encodeIfPresent(figures, forKey: .figures)
    }
  }

  /// What a migration took.
  public struct Figures: Encodable, Hashable, Sendable {
    /// How long it took from the lock on.
    public let seconds: Double
    /// The bytes that the process had written to disks; nil where the system does not tell.
    public let bytesWritten: Int64?

    init(_ figures: MigrationFigures) {
      seconds = (figures.seconds * 1000).rounded() / 1000
      bytesWritten = figures.bytesWritten
    }
  }
}

extension MigrationReport.Store {
  /// Takes an outcome.
  ///
  /// - Parameter entities: the names of the entities that can have rows, so that those without any are named too.
  public init(_ outcome: MigrationOutcome, entities: [String]) {
    path = outcome.path
    from = outcome.from
    to = outcome.to
    strategy = outcome.strategy
    steps = outcome.stepCount
    rows = outcome.rows.map { rows in rows.merging(entities.map { ($0, 0) }) { counted, _ in counted } }
    sourceRows = outcome.sourceRows.map(outcome.renamed)
    backup = outcome.backup.map { Self.place(of: $0, beside: outcome.path) }
    backupAbsence = outcome.backupAbsence
    self.outcome = Outcome(outcome.result)
    error = nil
    notes = outcome.notes.map(\.description)
    forecast = outcome.forecast.flatMap { $0.seconds == nil ? nil : ForecastReport($0) }
    figures = forecast == nil ? nil : outcome.figures.map(MigrationReport.Figures.init)
  }

  /// Takes the reason why a store was left as it was.
  public init(path: String, error: any Error) {
    self.path = path
    from = nil
    to = nil
    strategy = nil
    steps = 0
    (rows, sourceRows) = (nil, nil)
    backup = nil
    backupAbsence = .unchanged
    outcome = error is MigrationBlocked || error is MigrationRefusal || error is InferenceRefusal ? .refused : .failed
    self.error = (error as? InferenceRefusal)?.words.sentence ?? "\(error)"
    notes = []
    forecast = nil
    figures = nil
  }

  /// The same with the versions between which it would have migrated.
  package func onTheWay(from: String, to: String) -> MigrationReport.Store {
    MigrationReport.Store(self, from: from, to: to)
  }

  private init(_ store: MigrationReport.Store, from: String, to: String) {
    (path, self.from, self.to) = (store.path, from, to)
    (strategy, steps, rows, sourceRows) = (store.strategy, store.steps, store.rows, store.sourceRows)
    (backup, backupAbsence) = (store.backup, store.backupAbsence)
    (outcome, error, notes) = (store.outcome, store.error, store.notes)
    (forecast, figures) = (store.forecast, store.figures)
  }

  private var way: String {
    switch strategy {
    case .clone?: "by \(MigrationStrategy.clone.rawValue)"
    case .inPlace?: MigrationStrategy.inPlace.rawValue
    case nil: ""
    }
  }

  /// The backup as somebody names it who named the store so: the backup lies beside it, unless that is a link.
  private static func place(of backup: String, beside store: String) -> String {
    guard let slash = backup.lastIndex(of: "/") else { return backup }
    let near = String(store.lastIndex(of: "/").map { store[...$0] } ?? "") + backup[backup.index(after: slash)...]
    return FileManager.default.fileExists(atPath: near) ? near : backup
  }

  /// The entities that have another number of rows than before, all where that was not counted.
  private var changedRows: [(name: String, count: Int)] {
    let rows = (rows ?? [:]).sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) }
    guard let sourceRows else { return rows }
    return rows.filter { sourceRows[$0.name, default: 0] != $0.count }
  }

  /// Where the backup is, or why there is none; nil where the store is as it was.
  var backupSentence: String? {
    if let backup { return "backup of the untouched original: \(backup)" }
    return switch backupAbsence {
    case .declined?: "no backup, as asked"
    case .nothingLost?: "no backup, because nothing is lost"
    case .unchanged?, nil: nil
    }
  }

  /// What became of the store in a few lines; a failed one has none, its error is reported elsewhere.
  var text: String? {
    guard error == nil, let from, let to else { return nil }
    var lines: [String] =
      switch outcome {
      case .alreadyCurrent: ["\(path): nothing to do, it has version \(to) already"]
      case .rehearsed:
        WrappedText.lines(
          "\(path): would migrate \(from) → \(to) \(way), \(Quantity.text(steps, "statement")); tried on a copy, nothing was changed",
          lead: "", indent: "  ")
      default: ["\(path): migrated \(from) → \(to) \(way), \(Quantity.text(steps, "statement"))"]
      }
    lines += changedRows.map { name, count in
      let before = sourceRows?[name].map { ", \(Quantity.grouped(Int64($0))) before" } ?? ""
      return "  \(name): \(Quantity.text(count, "row"))\(before)"
    }
    if let sentence = backupSentence { lines += WrappedText.lines(sentence, lead: "  ", indent: "    ") }
    lines += notes.flatMap { WrappedText.lines("note: \($0)", lead: "  ", indent: "    ") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension MigrationReport.Store.Outcome {
  fileprivate init(_ result: MigrationOutcome.Result) {
    self =
      switch result {
      case .migrated: .migrated
      case .alreadyCurrent: .alreadyCurrent
      case .rehearsed: .rehearsed
      }
  }
}

extension MigrationReport {
  /// What became of each store.
  public var text: String { stores.compactMap(\.text).joined() }
}
