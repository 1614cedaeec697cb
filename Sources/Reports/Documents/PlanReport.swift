import MappingModels
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
public import StoreMigration

/// A plan, with its blockers.
public struct PlanReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 2
  /// The store.
  public let path: String
  /// The source version.
  public let from: String
  /// The destination version.
  public let to: String
  /// The versions on the path.
  public let versions: [String]
  /// The strategy; nil if there is nothing to do.
  public let strategy: MigrationStrategy?
  /// The reason for the strategy.
  public let reason: String?
  /// The number of rows that the steps touch.
  public let touchedRows: Int
  /// The size of the store's content in bytes.
  public let bytes: Int64
  /// The number of bytes that must be free beside the store; nil for a migration in place.
  public let freeBytesNeeded: Int64?
  /// The forecast; nil if there is nothing to do.
  public let forecast: ForecastReport?
  /// The parts of the path that are migrated one after the other.
  public let stages: [Stage]
  /// The statements in order, of all stages.
  public let steps: [Step]
  /// The blockers of the plan.
  public let blockers: [Blocker]
  /// The data losses, whether or not they are allowed.
  public let losses: [String]
  /// The join tables of entities with themselves, with the evidence for their names.
  public let joinTables: [JoinTable]
  /// Further notes for the user.
  public let notes: [String]
  private let jointConsent: String?

  private enum CodingKeys: String, CodingKey {
    case version, path, from, to, versions, strategy, reason, touchedRows, bytes, freeBytesNeeded
    case forecast, stages, steps
    case blockers = "obstacles"
    case losses, joinTables, notes
  }

  /// A part of the path, which is planned and checked separately.
  public struct Stage: Encodable, Hashable, Sendable {
    /// The source version.
    public let from: String
    /// The destination version.
    public let to: String
    /// The file of the mapping model; nil when the stage is inferred.
    public let mapping: String?
    /// The readers that can run it; Core Data does not read mapping files.
    public let readers: [MigrationReader]
    /// The number of its statements.
    public let steps: Int
  }

  /// One statement.
  public struct Step: Encodable, Hashable, Sendable {
    /// The statement with its values written in.
    public let statement: String
    /// The reason for the statement.
    public let cause: String
    /// The related changes of the model; empty for statements that every migration has, and for repairs of the store.
    public let changes: [DifferenceReport.Entry]
    /// The growth of its duration.
    public let cost: PlanStep.Cost
    /// The maximum number of touched rows.
    public let rows: Int
    fileprivate let shortened: String
    /// The table, column, index, view or trigger, if the cause does not name its element.
    fileprivate let object: String?

    private enum CodingKeys: CodingKey {
      case statement, cause, changes, cost, rows
    }
  }

  /// One blocker.
  public struct Blocker: Encodable, Hashable, Sendable {
    /// The entity or property.
    public let element: String
    /// The Cocoa error code, if Core Data would fail.
    public let code: Int?
    /// The reason, in Core Data's words if it would fail.
    public let reason: String
    /// The number of rows, values or links.
    public let count: Int
    /// The first `Z_PK`s of the blocking rows.
    public let firstKeys: [Int64]
    /// The option that allows the migration.
    public let remedy: String?
    /// The blocker in one paragraph.
    public let sentence: String
  }

  /// Creates a report of a prepared migration.
  public init(
    path: String, _ prepared: PreparedMigration, _ blocked: MigrationBlocked, _ forecast: MigrationForecast?
  ) {
    self.path = path
    from = prepared.source.name
    to = prepared.destination.name
    versions = prepared.path
    strategy = prepared.strategy
    reason = prepared.strategyReason?.description
    touchedRows = prepared.stages.reduce(0) { $0 + $1.plan.touchedRows }
    bytes = prepared.snapshot.byteCount
    freeBytesNeeded = prepared.strategy == .clone ? forecast?.work.freeBytesNeeded : nil
    self.forecast = forecast.map(ForecastReport.init)
    stages = prepared.stages.map { stage in
      Stage(
        from: stage.source.name, to: stage.destination.name, mapping: stage.mappingPath,
        readers: stage.mappingPath.flatMap(MappingPath.form) == .document ? [.modelctl] : MigrationReader.allCases,
        steps: stage.plan.steps.count)
    }
    steps = prepared.stages.flatMap { stage in
      let step = stage.step
      return stage.plan.steps.map { planned in
        Step(
          statement: planned.statement.rendered, cause: planned.cause.description,
          changes: planned.changes(in: step).map { DifferenceReport.Entry($0, step.meaning(of: $0)) },
          cost: planned.cost, rows: planned.rows, shortened: planned.statement.shortened, object: planned.object)
      }
    }
    self.blockers = blocked.blockers.map(Blocker.init) + blocked.losses.map(Blocker.init)
    losses = prepared.stages.flatMap(\.plan.losses).map(\.loss.sentence)
    joinTables = prepared.selfJoins.map(JoinTable.init)
    notes = prepared.notes.map(\.description)
    jointConsent = blocked.jointConsent
  }
}

extension PlanReport.Blocker {
  init(_ blocker: MigrationBlocked.BlockingRows) {
    element = blocker.blocker.element.description
    code = blocker.blocker.code?.rawValue
    reason = blocker.blocker.reason
    count = blocker.count
    firstKeys = blocker.firstKeys
    remedy = blocker.blocker.remedy?.firstOptions
    sentence = blocker.text
  }

  init(_ loss: MigrationBlocked.UnconsentedLoss) {
    element = loss.loss.loss.element
    code = nil
    reason = loss.loss.loss.sentence
    count = loss.count
    firstKeys = []
    remedy = loss.remedy.firstOptions
    sentence = loss.text
  }
}

extension PlanReport.Stage {
  fileprivate var text: String {
    "from \(from) to \(to), \(mapping.map { "by \($0)" } ?? "inferred")"
      + (readers == [.modelctl] ? "; only modelctl runs it" : "")
  }
}

extension PlanReport.Step {
  /// The cause, after the table, index or column of the statement if the cause does not name it.
  fileprivate var words: String { (object.map { "\($0): " } ?? "") + cause }

  /// A later stage's rows are not there to be counted yet.
  fileprivate var price: String {
    switch cost {
    case .rows: rows > 0 ? "up to \(Quantity.text(rows, "row"))" : "rows"
    case .schema: "schema only"
    }
  }
}

extension PlanReport {
  /// The plan as SQL with comments, to be read, reviewed and run.
  public var text: String { text(isCut: false) }

  /// The plan for reading; long binary values are cut.
  public var shortText: String { text(isCut: true) }

  private func text(isCut: Bool) -> String {
    guard let strategy, let reason else {
      return Self.comment("\(path): nothing to do, it already has version \(to)").joined(separator: "\n") + "\n"
    }
    let size = [
      Quantity.text(steps.count, "statement"), "\(Quantity.text(touchedRows, "row")) touched",
      "store of \(Quantity.bytes(bytes))",
    ]
    var lines = Self.comment("\(path): \(pathWords)")
    lines += Self.comment("strategy: \(strategy.rawValue); \(reason)")
    let sizes = forecast?.sizes(isCopy: strategy == .clone) ?? []
    lines += Self.comment((size + sizes).joined(separator: ", "))
    if let time = forecast?.time { lines += Self.comment(time) }
    lines += losses.flatMap { Self.comment("loses: \($0)") }
    lines += notes.flatMap { Self.comment("note: \($0)") }
    if isCut, steps.contains(where: { $0.shortened != $0.statement }) {
      lines += Self.comment(
        "long values are cut, so do not run this SQL; to print the complete SQL: --full")
    }
    if TextWidth.isSpoken { lines += refusal }
    var number = 0
    for (position, stage) in stages.enumerated() {
      if stages.count > 1 || stage.mapping != nil {
        lines += [""] + Self.comment("stage \(position + 1) of \(stages.count): \(stage.text)")
      }
      for step in steps[number..<(number + stage.steps)] {
        number += 1
        lines += [""] + Self.comment("\(number). \(step.words) (\(step.price))")
        lines.append(isCut ? "\(step.shortened);" : "\(step.statement);")
      }
    }
    if !TextWidth.isSpoken { lines += refusal }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The blockers as comments; a listener hears them before the statements.
  private var refusal: [String] {
    guard !blockers.isEmpty else { return [] }
    let sentences = blockers.map(\.sentence) + (jointConsent.map { [$0] } ?? [])
    return ["", "-- refused as it is:"] + sentences.flatMap { Self.comment($0) }
  }

  /// The source, the destination, and the versions between them if there are few.
  private var pathWords: String {
    let between = versions.dropFirst().dropLast()
    return "from \(from) to \(to)"
      + (between.isEmpty
        ? "" : ", through " + (between.count <= 4 ? between.joined(separator: ", ") : "\(between.count) versions"))
  }

  /// A sentence as SQL comments, so that no part of it can be run.
  private static func comment(_ sentence: String) -> [String] {
    WrappedText.lines(sentence, lead: "-- ", indent: "--   ")
  }

  /// A join table of an entity with itself, with the evidence for its name.
  public struct JoinTable: Encodable, Hashable, Sendable {
    /// The relationship that the table is named after.
    public let naming: String
    /// Its inverse.
    public let inverse: String
    /// The table's name.
    public let table: String
    /// The name after the inverse.
    public let otherTable: String
    /// `reference`, `store`, `agreement` or `guess`, the most certain first.
    public let evidence: String
    /// The store or lock file with the name; nil if there is none.
    public let reference: String?

    init(_ join: SelfJoin) {
      (naming, inverse) = (join.naming.description, join.other.description)
      (table, otherTable) = (join.table, join.otherTable)
      switch join.evidence {
      case .reference(let path): (evidence, reference) = ("reference", path)
      case .store: (evidence, reference) = ("store", nil)
      case .agreement: (evidence, reference) = ("agreement", nil)
      case .guess: (evidence, reference) = ("guess", nil)
      }
    }
  }
}
