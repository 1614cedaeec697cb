import Foundation
import MappingModels
import ModelDescription
public import StoreMigration

/// The results of migrations.
public struct MigrationReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The stores in the given order.
  public let stores: [Store]

  private enum CodingKeys: CodingKey {
    case version, stores
  }

  /// Creates a report of stores.
  public init(_ stores: [Store]) { self.stores = stores }

  /// One store.
  public struct Store: Encodable, Hashable, Sendable {
    /// The outcome of a migration; outcomes that need attention are first.
    public enum Outcome: String, Encodable, Hashable, Sendable, CaseIterable {
      /// Its rows or its model do not allow the migration; it is unchanged.
      case refused
      /// An error occurred; it is unchanged.
      case failed
      /// It has the new version.
      case migrated
      /// The migration was tried on a copy that was deleted.
      case rehearsed
      /// It already had the destination version.
      case alreadyCurrent = "already-current"
    }

    /// The path as it was given.
    public let path: String
    /// The version it had.
    public let from: String?
    /// The version it has.
    public let to: String?
    /// The strategy; nil if there was nothing to do.
    public let strategy: MigrationStrategy?
    /// The number of statements that were run.
    public let steps: Int
    /// The number of rows of every entity that is not abstract; nil if the store is unchanged, or if the rows were not
    /// counted.
    public let rows: [String: Int]?
    private let sourceRows: [String: Int]?
    /// The data that was lost, as the user allowed; empty if nothing was lost.
    public let losses: [MigrationReport.Loss]
    /// The path of the original.
    public let backup: String?
    /// The reason why there is no backup; nil if there is one.
    public let backupAbsence: MigrationOutcome.BackupAbsence?
    /// The outcome of the migration.
    public let outcome: Outcome
    /// The reason why it was refused or failed.
    public let error: String?
    /// Further notes for the user.
    public let notes: [String]
    /// The forecast; nil if too few rows are touched to estimate a duration.
    public let forecast: ForecastReport?
    /// The actual figures.
    public let figures: MigrationReport.Figures?

    private enum CodingKeys: CodingKey {
      case path, from, to, strategy, steps, rows, losses, backup, backupAbsence, outcome, error, notes, forecast,
        figures
    }

    /// Encodes every key; keys without a value are null.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .path)
      try container.encode(from, forKey: .from)
      try container.encode(to, forKey: .to)
      try container.encode(strategy, forKey: .strategy)
      try container.encode(steps, forKey: .steps)
      try container.encode(rows, forKey: .rows)
      if !losses.isEmpty { try container.encode(losses, forKey: .losses) }
      try container.encode(backup, forKey: .backup)
      try container.encode(backupAbsence, forKey: .backupAbsence)
      try container.encode(outcome, forKey: .outcome)
      try container.encodeIfPresent(error, forKey: .error)
      try container.encode(notes, forKey: .notes)
      try container.encodeIfPresent(forecast, forKey: .forecast)
      try container.encodeIfPresent(figures, forKey: .figures)
    }
  }

  /// Data that a migration lost, as the user allowed.
  public struct Loss: Encodable, Hashable, Sendable {
    /// The entity or property, as `--allow-data-loss` takes it.
    public let name: String
    /// The number of rows, values or links.
    public let count: Int
    /// The name and the amount.
    fileprivate let words: String

    private enum CodingKeys: CodingKey {
      case name, count
    }

    init(_ loss: MigrationBlocked.UnconsentedLoss) {
      (name, count, words) = (loss.loss.loss.element, loss.count, loss.words)
    }
  }

  /// The duration and the bytes written by a migration.
  public struct Figures: Encodable, Hashable, Sendable {
    /// The duration since the lock, in seconds.
    public let seconds: Double
    /// The bytes that the process wrote to disks; nil if the system does not report them.
    public let bytesWritten: Int64?

    init(_ figures: MigrationFigures) {
      seconds = (figures.seconds * 1000).rounded() / 1000
      bytesWritten = figures.bytesWritten
    }
  }
}

extension MigrationReport.Store {
  /// Creates a report of an outcome.
  ///
  /// - Parameter entities: the names of the entities that can have rows, so that entities without rows are included.
  public init(_ outcome: MigrationOutcome, entities: [String]) {
    path = outcome.path
    from = outcome.from
    to = outcome.to
    strategy = outcome.strategy
    steps = outcome.stepCount
    rows = outcome.rows.map { rows in rows.merging(entities.map { ($0, 0) }) { counted, _ in counted } }
    sourceRows = outcome.sourceRows.map(outcome.renamed)
    losses = outcome.losses.map(MigrationReport.Loss.init)
    backup = outcome.backup.map { Self.place(of: $0, beside: outcome.path) }
    backupAbsence = outcome.backupAbsence
    self.outcome = Outcome(outcome.result)
    error = nil
    notes = outcome.notes.map(\.description)
    forecast = outcome.forecast.flatMap { $0.seconds == nil ? nil : ForecastReport($0) }
    figures = forecast == nil ? nil : outcome.figures.map(MigrationReport.Figures.init)
  }

  /// Creates a report of an unchanged store, with the reason.
  public init(path: String, error: any Error) {
    self.path = path
    from = nil
    to = nil
    strategy = nil
    steps = 0
    (rows, sourceRows, losses) = (nil, nil, [])
    backup = nil
    backupAbsence = .unchanged
    outcome = error is MigrationBlocked || error is MigrationRefusal || error is InferenceRefusal ? .refused : .failed
    self.error = error.sentence
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
    (losses, backup, backupAbsence) = (store.losses, store.backup, store.backupAbsence)
    (outcome, error, notes) = (store.outcome, store.error, store.notes)
    (forecast, figures) = (store.forecast, store.figures)
  }

  private var strategyWords: String {
    switch strategy {
    case .clone?: "by \(MigrationStrategy.clone.rawValue)"
    case .inPlace?: MigrationStrategy.inPlace.rawValue
    case nil: ""
    }
  }

  /// The path of the backup in the style of the store's path, unless the store is a link.
  private static func place(of backup: String, beside store: String) -> String {
    guard let slash = backup.lastIndex(of: "/") else { return backup }
    let near = String(store.lastIndex(of: "/").map { store[...$0] } ?? "") + backup[backup.index(after: slash)...]
    return FileManager.default.fileExists(atPath: near) ? near : backup
  }

  /// The entities whose number of rows changed; all entities if the earlier number is unknown.
  private var changedRows: [(name: String, count: Int)] {
    let rows = (rows ?? [:]).sorted { $0.key < $1.key }.map { (name: $0.key, count: $0.value) }
    guard let sourceRows else { return rows }
    return rows.filter { sourceRows[$0.name, default: 0] != $0.count }
  }

  /// The path of the backup, or the reason why there is none; nil if the store is unchanged.
  var backupSentence: String? {
    if let backup { return "backup of the original: \(backup)" }
    return switch backupAbsence {
    case .declined?: "no backup, as requested"
    case .nothingLost?: "no backup, because nothing is lost"
    case .unchanged?, nil: nil
    }
  }

  /// The result in a few lines; nil if the migration failed, because the error is reported separately.
  var text: String? {
    guard error == nil, let from, let to else { return nil }
    var lines: [String] =
      switch outcome {
      case .alreadyCurrent: ["\(path): nothing to do, it already has version \(to)"]
      case .rehearsed:
        WrappedText.lines(
          "\(path): would migrate from \(from) to \(to) \(strategyWords), \(Quantity.text(steps, "statement")); tried on a copy, the store is unchanged",
          lead: "", indent: "  ")
      default: ["\(path): migrated from \(from) to \(to) \(strategyWords), \(Quantity.text(steps, "statement"))"]
      }
    lines += changedRows.map { name, count in
      let before = sourceRows?[name].map { ", \(Quantity.grouped(Int64($0))) before" } ?? ""
      return "  \(name): \(Quantity.text(count, "row"))\(before)"
    }
    if !losses.isEmpty {
      let words = losses.map(\.words).joined(separator: "; ")
      lines += WrappedText.lines("lost, as allowed: \(words)", lead: "  ", indent: "    ")
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
  /// The result of each store.
  public var text: String { stores.compactMap(\.text).joined() }
}
