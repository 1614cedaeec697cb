import Foundation
import MappingModels
import ModelComparison
import ModelDescription
import StoreMigration

extension MigrationRecord {
  /// The most stores that each get a chapter; of more there is only the table.
  private static let chapterLimit = 20

  var title: String {
    guard count == 1, let store = stores.first else { return "Migration of \(Quantity.text(count, "store"))" }
    return "Migration of \(store.report.path)"
  }

  /// All stores that the run had something to do with.
  private var count: Int { stores.count + omittedCount + finishedBefore + remaining }

  private var omittedCount: Int { omitted.values.reduce(0, +) }

  var summary: String {
    let counts = MigrationReport.Store.Outcome.allCases.compactMap { outcome -> String? in
      let number = stores.count { $0.report.outcome == outcome } + omitted[outcome, default: 0]
      return number == 0 ? nil : count == 1 ? outcome.words : "\(Quantity.grouped(Int64(number))) \(outcome.words)"
    }
    let others = [(finishedBefore, "finished before"), (remaining, "not reached")].filter { $0.0 > 0 }.map {
      "\(Quantity.grouped(Int64($0))) \($1)"
    }
    let none = isFleet && ending == nil ? "no store was found" : "no store was reached"
    let words = count == 0 ? none : (counts + others).joined(separator: ", ")
    return "\(words); started \(begin.formatted(.iso8601)), \(ElapsedTime.text(seconds)), modelctl \(program)"
  }

  var blocks: [ReportBlock] {
    var blocks: [ReportBlock] = []
    if !remarks.isEmpty { blocks.append(.facts(remarks)) }
    if stores.count > 1 || (count > 1 && !stores.isEmpty) { blocks.append(.table(table)) }
    let gaps = gaps
    if !gaps.isEmpty { blocks.append(.facts(gaps)) }
    if !decisions.isEmpty { blocks += [.heading("Allowed and decided", level: 2), .facts(decisions)] }
    if hasChapters { blocks += stores.flatMap(\.blocks) }
    var shown: Set<PathPart> = []
    for part in stores.flatMap(\.parts) where shown.insert(part).inserted { blocks += part.blocks }
    return blocks
  }

  private var hasChapters: Bool { stores.count + omittedCount <= Self.chapterLimit }

  /// The remarks before the stores.
  private var remarks: [String] {
    var remarks = [ending].compactMap { $0?.description }
    if finishedBefore > 0 {
      let were = finishedBefore == 1 ? "was" : "were"
      remarks.append(
        "\(Quantity.text(finishedBefore, "store")) \(were) finished before"
          + (journal.map { ", according to the journal \($0)" } ?? ""))
    }
    remarks += unreached.map { "not reached, so it is unchanged: \($0)" }
    let others = remaining - unreached.count
    if others > 0 { remarks.append("not reached, so they are unchanged: \(Quantity.text(others, "store"))") }
    if passedOver > 0 {
      remarks.append("skipped: \(Quantity.text(passedOver, "file")), backups and links included")
    }
    return remarks
  }

  /// The omissions, so that the reader knows about them.
  private var gaps: [String] {
    var gaps: [String] = []
    if omittedCount > 0 { gaps.append("not listed: \(Quantity.text(omittedCount, "more store"))") }
    if isFleet, !stores.isEmpty {
      gaps.append("rows and changes are not listed for stores in folders; to see the changes: modelctl diff")
    } else if !hasChapters {
      gaps.append("the rows of each entity are listed only for at most \(Self.chapterLimit) stores")
    }
    return gaps
  }

  private var table: ReportTable {
    ReportTable(
      caption: "Result for each store",
      columns: ["Store", "Outcome", "From", "To", "Strategy", "Time", "Backup or reason"],
      rows: stores.map { store in
        let report = store.report
        return [
          report.path, report.outcome.rawValue, report.from ?? "", report.to ?? "", report.strategy?.rawValue ?? "",
          store.seconds.map(ElapsedTime.text) ?? "", report.spokenError ?? report.backup ?? "",
        ]
      })
  }
}

extension MigrationReport.Store.Outcome {
  /// The outcome, after a number of stores.
  fileprivate var words: String {
    switch self {
    case .refused: "refused"
    case .failed: "failed"
    case .migrated: "migrated"
    case .rehearsed: "would migrate"
    case .alreadyCurrent: "already current"
    }
  }
}

extension MigrationReport.Store {
  fileprivate var spokenError: String? { error.map { SpokenText.of($0, keeping: [path]) } }
}

extension MigrationRecord.Store {
  fileprivate var blocks: [ReportBlock] {
    var blocks: [ReportBlock] = [.heading("\(report.path): \(words)", level: 2), .facts(facts)]
    if let table { blocks.append(.table(table)) }
    return blocks
  }

  private var words: String {
    let way = [report.from.map { "from \($0)" }, report.to.map { "to \($0)" }].compactMap { $0 }.joined(separator: " ")
    return switch report.outcome {
    case .migrated: "migrated \(way)"
    case .rehearsed: "would migrate \(way)"
    case .alreadyCurrent: "already has version \(report.to ?? "")"
    case .refused, .failed: report.outcome.rawValue
    }
  }

  private var facts: [String] {
    var facts: [String] = []
    switch report.outcome {
    case .migrated:
      facts.append("the result was verified before it was kept: its schema, its hashes and the written rows")
    case .rehearsed:
      facts.append("the migration was tried on a copy; the result was verified and deleted, and the store is unchanged")
    case .alreadyCurrent: facts.append("nothing was written")
    case .refused, .failed:
      facts.append("the store is unchanged")
      if let from = report.from, let to = report.to { facts.append("path: from \(from) to \(to)") }
    }
    if let strategy = report.strategy {
      facts.append("strategy: \(strategy.rawValue), \(Quantity.text(report.steps, "statement"))")
    }
    if let seconds { facts.append("time: \(ElapsedTime.text(seconds))") }
    if let sentence = report.backupSentence { facts.append(sentence) }
    if let unchangedRows { facts.append(unchangedRows) }
    facts += remarks
    facts += (report.spokenError ?? "").split(separator: "\n").map { "reason: \($0)" }
    return facts + report.notes.map { "note: \(SpokenText.of($0, keeping: [report.path]))" }
  }

  /// The number of entities with an unchanged number of rows; nil if there are none.
  private var unchangedRows: String? {
    guard let rows = report.rows, let sourceRows else { return nil }
    let count = rows.count { sourceRows[$0.key, default: 0] == $0.value }
    return count == 0 ? nil : "unchanged number of rows: \(Quantity.text(count, "entity", "entities"))"
  }

  /// One row per entity whose number of rows changed, or is unknown.
  private var table: ReportTable? {
    guard let rows = report.rows else { return nil }
    let names = Set(rows.keys).union((sourceRows ?? [:]).keys).sorted().filter { name in
      sourceRows.map { $0[name, default: 0] != rows[name] } ?? true
    }
    guard !names.isEmpty else { return nil }
    return ReportTable(
      caption: "Rows of each entity",
      columns: ["Entity", "Before", "After"],
      rows: names.map { name in
        let isNew = sourceRows != nil && sourceRows?[name] == nil
        let before = sourceRows?[name].map { Quantity.grouped(Int64($0)) } ?? (isNew ? "no such entity" : "not counted")
        return [name, before, rows[name].map { Quantity.grouped(Int64($0)) } ?? "no such entity"]
      },
      numericColumns: [1, 2])
  }
}

extension MigrationRecord.PathPart {
  /// The effect on the rows; a change that only affects indexes is described for a migrated store.
  private func words(of effect: DataEffect) -> String {
    effect == .indexesStay || effect == .indexesFollow
      ? "the store gets the indexes of \(to)" : "rows: \(effect.words(in: .spoken))"
  }

  fileprivate var blocks: [ReportBlock] {
    var facts = [
      mapping.map { "path: by the mapping model \($0), which decides about the rows" } ?? "path: inferred"
    ]
    if let difference {
      // What inference would do with the rows is not what a mapping model does.
      facts += difference.changes.map { change in
        "\(change.element): \(change.spokenSentence)"
          + (mapping == nil ? "; \(words(of: change.effect))" : "")
      }
      facts += difference.changes.isEmpty ? ["no change"] : []
    } else {
      facts.append("the model of \(from) is only in the store, so the changes are not listed")
    }
    return [.heading("What changes from \(from) to \(to)", level: 2), .facts(facts)]
  }
}
