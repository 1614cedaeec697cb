public import Foundation
import MappingModels
import ModelDescription
public import PersistentStores
public import StoreMigration

/// The record of a run of `migrate`, for people: it can be kept, sent, or attached to a ticket.
public struct MigrationRecord: Hashable, Sendable {
  /// The results of the stores, in order.
  public var stores: [Store] = []
  /// The number of stores that the record does not list, by outcome.
  public var omitted: [MigrationReport.Store.Outcome: Int] = [:]
  /// The number of stores that an earlier run finished, according to the journal.
  public var finishedBefore = 0
  /// The journal's file; nil if none is kept.
  public var journal: String?
  /// The number of stores that were not reached because the run was interrupted.
  public var remaining = 0
  /// The unreached stores that were named individually.
  public var unreached: [String] = []
  /// The number of skipped files in the folders.
  public var passedOver = 0
  /// Whether the stores are from folders, so that rows and steps are not recorded.
  public var isFleet = false
  /// The user's decisions, a sentence each.
  public var decisions: [String]
  /// The start of the run.
  public var begin: Date
  /// The duration of the run, in seconds.
  public var seconds = 0.0
  /// The version of the program.
  public var program: String
  /// The reason why the run ended early; nil if it did not.
  public var ending: Ending?

  /// Begins a record.
  public init(decisions: [String], begin: Date = Date(), program: String) {
    (self.decisions, self.begin, self.program) = (decisions, begin, program)
  }

  /// One store.
  public struct Store: Hashable, Sendable {
    /// The report of the store.
    public var report: MigrationReport.Store
    /// The duration in seconds; nil if the store was not opened.
    public var seconds: Double?
    /// The numbers of rows of each entity before; nil if they were not counted.
    public var sourceRows: [String: Int]?
    /// The renamed entities and the data losses, a sentence each, without full stops.
    public var remarks: [String] = []
    /// The steps of the path.
    public var parts: [PathPart] = []

    /// Adds the renamed entities and the data losses of an outcome.
    public mutating func take(_ outcome: MigrationOutcome) {
      remarks =
        outcome.formerNames.sorted { $0.key < $1.key }.map { "\($0.key) has the rows of \($0.value), its former name" }
        + outcome.losses.map { "lost, as allowed: \($0.words)" }
    }

    /// Creates a record of a store.
    public init(_ report: MigrationReport.Store, seconds: Double?) { (self.report, self.seconds) = (report, seconds) }
  }

  /// A step from a single version to the next.
  public struct PathPart: Hashable, Sendable {
    /// The source version.
    public var from: String
    /// The destination version.
    public var to: String
    /// The mapping model of the step; nil if it was inferred.
    public var mapping: String?
    /// The changes; nil if one of the models is only in the store.
    public var difference: DifferenceReport?

    /// Creates a step.
    public init(from: String, to: String, mapping: String?, difference: DifferenceReport?) {
      (self.from, self.to, self.mapping, self.difference) = (from, to, mapping, difference)
    }
  }

  /// The record as an HTML page.
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

  /// The reason why a run ended early.
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
