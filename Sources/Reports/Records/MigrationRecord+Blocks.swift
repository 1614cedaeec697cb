import Foundation

extension MigrationRecord {
  /// The most stores that each get a chapter; of more there is only the table.
  private static let chapterLimit = 20

  var title: String {
    guard stores.count == 1, omittedCount == 0, let store = stores.first else {
      return "Migration of \(Quantity.text(stores.count + omittedCount, "store"))"
    }
    return "Migration of \(store.report.path)"
  }

  var summary: String {
    let counts = Self.outcomes.compactMap { outcome, words in
      let count = stores.filter { $0.report.outcome == outcome }.count
      return count == 0 ? nil : stores.count == 1 ? words : "\(Quantity.grouped(Int64(count))) \(words)"
    }
    let words = counts.isEmpty ? "no store had its turn" : counts.joined(separator: ", ")
    return "\(words); begun \(begin.formatted(.iso8601)), \(ElapsedTime.text(seconds)), modelctl \(program)"
  }

  /// The outcomes with the words of the report, those first that need a look.
  private static let outcomes = [
    ("refused", "refused"), ("failed", "failed"), ("migrated", "migrated"), ("rehearsed", "rehearsed"),
    ("already-current", "already current"),
  ]

  var blocks: [ReportBlock] {
    var blocks: [ReportBlock] = []
    if let ending { blocks.append(.facts([ending])) }
    if stores.count != 1 { blocks.append(.table(table)) }
    if omittedCount > 0 {
      blocks.append(.facts(["not listed: \(Quantity.text(omittedCount, "more store"))"]))
    }
    if !decisions.isEmpty { blocks += [.heading("Allowed and decided", level: 2), .facts(decisions)] }
    let chapters = stores.count <= Self.chapterLimit ? stores : []
    var told: [Hop] = []
    for store in chapters {
      blocks += store.blocks
      for hop in store.hops where !told.contains(hop) { told.append(hop) }
    }
    return blocks + told.flatMap(\.blocks)
  }

  /// A row a store.
  private var table: ReportTable {
    ReportTable(
      caption: "What became of each store",
      columns: ["Store", "Outcome", "From", "To", "Strategy", "Time", "Backup or reason"],
      rows: stores.map { store in
        let report = store.report
        return [
          report.path, report.outcome, report.from ?? "", report.to ?? "", report.strategy ?? "",
          store.seconds.map(ElapsedTime.text) ?? "", report.error.map(SpokenText.of) ?? report.backup ?? "",
        ]
      })
  }
}

extension MigrationRecord.Store {
  fileprivate var blocks: [ReportBlock] {
    var blocks: [ReportBlock] = [.heading("\(report.path): \(words)", level: 2), .facts(facts)]
    if let table { blocks.append(.table(table)) }
    return blocks
  }

  private var words: String {
    let way = [report.from.map { "from \($0)" }, report.to.map { "to \($0)" }].compactMap { $0 }.joined(separator: " ")
    switch report.outcome {
    case "migrated": return "migrated \(way)"
    case "rehearsed": return "rehearsed \(way) on a copy"
    case "already-current": return "already has version \(report.to ?? "")"
    default: return report.outcome
    }
  }

  private var facts: [String] {
    var facts: [String] = []
    switch report.outcome {
    case "migrated":
      facts.append("the result was verified before it was kept: its schema, its hashes and what was written")
    case "rehearsed": facts.append("the result was verified and thrown away; the store is as it was")
    case "already-current": facts.append("nothing was written")
    default:
      facts.append("the store is as it was")
      if let from = report.from, let to = report.to { facts.append("the way is from \(from) to \(to)") }
    }
    if let strategy = report.strategy {
      facts.append("strategy: \(strategy), \(Quantity.text(report.steps, "statement"))")
    }
    if let seconds { facts.append("time: \(ElapsedTime.text(seconds))") }
    if let backup = report.backup { facts.append("backup of the untouched original: \(backup)") }
    facts += (report.error ?? "").split(separator: "\n").map { "reason: \(SpokenText.of(String($0)))" }
    return facts + report.notes.map { "note: \(SpokenText.of($0))" }
  }

  /// A row an entity that had or has rows, or may have some.
  private var table: ReportTable? {
    guard let rows = report.rows else { return nil }
    let names = Set(rows.keys).union((formerRows ?? [:]).keys).sorted()
    guard !names.isEmpty else { return nil }
    return ReportTable(
      caption: "Rows of each entity",
      columns: ["Entity", "Before", "After"],
      rows: names.map { name in
        let isNew = formerRows != nil && formerRows?[name] == nil
        let before = formerRows?[name].map { Quantity.grouped(Int64($0)) } ?? (isNew ? "no such entity" : "not counted")
        return [name, before, rows[name].map { Quantity.grouped(Int64($0)) } ?? "no such entity"]
      },
      numericColumns: [1, 2])
  }
}

extension MigrationRecord.Hop {
  fileprivate var blocks: [ReportBlock] {
    var facts = [
      mapping.map { "the way: by the mapping model \($0), which says what becomes of the rows" } ?? "the way: inferred"
    ]
    if let difference {
      // What inference would do with the rows is not what a mapping model does.
      facts += difference.changes.map { change in
        "\(change.element): \(change.spokenSentence)"
          + (mapping == nil ? "; rows: \(SpokenText.of(change.dataEffect))" : "")
      }
      facts += difference.changes.isEmpty ? ["no change"] : []
    } else {
      facts.append("the model of \(from) is only in the store, so that what changed from it is not told")
    }
    return [.heading("What changes from \(from) to \(to)", level: 2), .facts(facts)]
  }
}
