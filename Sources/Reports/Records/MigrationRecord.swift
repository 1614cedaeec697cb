public import Foundation
import MappingModels
public import PersistentStores
public import StoreMigration

/// What a run of `migrate` did and why, for people: kept, sent, or put beside a ticket.
public struct MigrationRecord: Hashable, Sendable {
  /// What became of the stores, in their order.
  public var stores: [Store] = []
  /// How many stores more there were than the record lists, by their outcome.
  public var omitted: [MigrationReport.Store.Outcome: Int] = [:]
  /// How many stores an earlier run had finished, as the journal says; nobody opened them.
  public var finishedBefore = 0
  /// The journal's file, nil when none is kept.
  public var journal: String?
  /// How many stores had no turn because the run was stopped.
  public var remaining = 0
  /// Those of them that were named one by one.
  public var unreached: [String] = []
  /// How many files lay in the folders that are no store to migrate.
  public var passedOver = 0
  /// True when the stores are those of folders, of which neither rows nor steps are kept.
  public var isFleet = false
  /// What the user allowed and decided, a sentence each.
  public var decisions: [String]
  /// When the run began.
  public var begin: Date
  /// How long it took, in seconds.
  public var seconds = 0.0
  /// The version of the program.
  public var program: String
  /// Why the run ended before every store had its turn, nil when it did not.
  public var ending: Ending?

  /// Begins a record.
  public init(decisions: [String], begin: Date = Date(), program: String) {
    (self.decisions, self.begin, self.program) = (decisions, begin, program)
  }

  /// One store.
  public struct Store: Hashable, Sendable {
    /// What is shown of each store elsewhere too.
    public var report: MigrationReport.Store
    /// How long it took, in seconds; nil when it was not even looked at.
    public var seconds: Double?
    /// The rows of each entity before, nil when they were not counted.
    public var sourceRows: [String: Int]?
    /// What became of names and data that a reader may miss: a sentence each, without its full stop.
    public var remarks: [String] = []
    /// The parts of the way.
    public var hops: [Hop] = []

    /// Says which entities have another name now, and what was given up.
    public mutating func take(_ outcome: MigrationOutcome) {
      remarks =
        outcome.formerNames.sorted { $0.key < $1.key }.map { "\($0.key) has the rows of \($0.value), its former name" }
        + outcome.losses.map { "lost, as allowed: \($0.loss.loss.element), \($0.amount)" }
    }

    /// Takes what became of a store.
    public init(_ report: MigrationReport.Store, seconds: Double?) { (self.report, self.seconds) = (report, seconds) }
  }

  /// A step from one version to the next, as a developer made them.
  public struct Hop: Hashable, Sendable {
    /// The version it starts from.
    public var from: String
    /// The version it reaches.
    public var to: String
    /// The mapping model that made it, nil when it was inferred.
    public var mapping: String?
    /// What changed; nil when one of the models is only in the store.
    public var difference: DifferenceReport?

    /// Makes a step.
    public init(from: String, to: String, mapping: String?, difference: DifferenceReport?) {
      (self.from, self.to, self.mapping, self.difference) = (from, to, mapping, difference)
    }
  }

  /// The record as a page of one file.
  public var html: String {
    Page(
      title: title, summary: [summary],
      content: "<div id=\"text\" tabindex=\"-1\">\n\(blocks.map(\.markup).joined(separator: "\n"))\n</div>"
    ).text
  }

  /// The record as Markdown.
  public var markdown: String {
    let lead = ["# \(MarkdownText.escaped(title))", MarkdownText.escaped(summary)]
    return (lead + blocks.map(\.markdown)).joined(separator: "\n\n") + "\n"
  }

  /// Why a run ended before every store had its turn.
  public enum Ending: Hashable, Sendable {
    case failed(CaughtError)
    /// Somebody stopped it when no store was left.
    case stopped
    /// Somebody stopped it before every store had its turn.
    case stoppedEarly
  }
}

extension MigrationRecord.Ending: CustomStringConvertible {
  /// The cause in a clause.
  public var description: String {
    switch self {
    case .failed(let error): "ended by an error: \(error.error.sentence)"
    case .stopped: "interrupted"
    case .stoppedEarly: "interrupted before every store was reached"
    }
  }
}
