public import MappingModels
public import MigrationSQL
public import ModelComparison
public import ModelDescription
import PersistentStores

/// One statement of a plan with its reason and its price.
public struct PlanStep: Hashable, Sendable {
  /// The growth of a statement's time.
  public enum Cost: String, Hashable, Sendable, CaseIterable, Encodable {
    /// Only the schema or one row changes; the time does not depend on the number of rows.
    case schema
    /// Rows are read or written; the time grows with them.
    case rows
  }

  /// The action of a step.
  public enum Action: Hashable, Sendable {
    /// A statement runs.
    case sql(SQLStatement)
    /// Policies in code run, object by object.
    case policy(PolicyPass)
  }

  /// When a step is left out because it has nothing to do.
  struct Condition: Hashable, Sendable {
    /// Finds a row when the step has something to do.
    var question: SQLStatement
    /// True if the question has the same answer before anything is written.
    var asksOriginal = false
  }

  /// The action.
  public var action: Action
  /// The change of the model, or of the store, that needs it.
  public var cause: PlanCause
  /// The entities, properties and indexes of either model that the step is for; empty for steps of every migration, and for
  /// steps that only the store requires.
  public internal(set) var subject: Set<ModelElement> = []
  /// The settings of its subject that it follows.
  var aspects = Self.stored
  /// The growth of its time.
  public var cost: Cost
  /// The maximum number of rows that it touches; 0 for a statement on the schema.
  public var rows: Int

  /// When the step is needed, nil for one that is run in any case.
  var runIf: Condition?
  /// The effect of the statement on rows of the store.
  var writing: Writing

  /// Creates a step.
  public init(_ statement: SQLStatement, cause: PlanCause, cost: Cost = .schema, rows: Int = 0) {
    action = .sql(statement)
    (self.cause, self.cost, self.rows) = (cause, cost, rows)
    writing = cost == .schema ? .nothing : .anything
  }

  /// Creates a step over rows that says what it does to them.
  init(_ statement: SQLStatement, cause: PlanCause, rows: Int, writing: Writing) {
    self.init(statement, cause: cause, cost: .rows, rows: rows)
    self.writing = writing
  }

  init(_ pass: PolicyPass, rows: Int) {
    action = .policy(pass)
    cause = .policy(pass)
    cost = .rows
    self.rows = rows
    writing = .anything
  }

  /// The effect of a statement on rows of the store; rows that no statement touches are not verified again.
  enum Writing: Hashable, Sendable {
    /// It reads them only: it makes indexes, drops tables, or writes temporary tables.
    case nothing
    /// It makes, removes or changes rows of a table.
    case rows(of: String)
    /// It changes some columns of a table's rows and leaves the rows and their keys.
    case columns([String], of: String)
    /// It changes what persistent history says of objects, and no object.
    case history
    /// Nobody says.
    case anything
  }

  var touchesObjects: Bool { cost == .rows && writing != .history }

  /// The settings that decide about tables, columns and the values in them.
  static let stored: Set<Aspect> = [
    .type, .optional, .transient, .externalStorage, .derivation, .derivationFilter, .composite, .elements,
    .destination, .inverse, .inverseEntity, .toMany, .ordered, .superentity, .abstract,
  ]

  /// The same step, for elements of the models and those of their settings that it follows.
  func about(_ subject: Set<ModelElement>, _ aspects: Set<Aspect> = stored) -> PlanStep {
    var step = self
    (step.subject, step.aspects) = (subject, aspects)
    return step
  }

  /// The changes between two versions that the step is for, in the order of the difference.
  public func changes(in step: ModelStep) -> [Change] {
    let entities = Set(subject.compactMap(\.entityName))
    return step.changes.filter { change in
      let isOfSubject = subject.contains(change.element) || change.sourceElement.map(subject.contains) == true
      switch change.kind {
      case .changed(let aspect, _, _), .followsRename(let aspect, _, _): return isOfSubject && aspects.contains(aspect)
      case .followsAncestor: return false
      case .added, .removed:
        // What belongs to an entity that comes or goes is no change of its own.
        if case .entity(let name) = change.element { return entities.contains(name) }
        return isOfSubject
      default: return isOfSubject
      }
    }
  }
}

extension [PlanStep] {
  /// The same steps, for elements of the models.
  func about(_ subject: Set<ModelElement>) -> [PlanStep] { map { $0.about(subject) } }

  /// The rows and columns that the steps write, by the tables' final names; nil if a step does not declare them.
  ///
  /// - Parameter names: the names that tables get which keep their rows, and those of their columns, by the names
  ///   before.
  func scope(renaming names: [String: (name: String, columns: [String: String])] = [:]) -> VerificationScope? {
    var scope = VerificationScope()
    for step in self {
      switch step.writing {
      case .nothing, .history: continue
      case .anything: return nil
      case .rows(let table):
        scope.add(table, .rows)
        if let kept = names[table] { scope.add(kept.name, .rows) }
      case .columns(let columns, let table):
        scope.add(table, .columns(Set(columns)))
        if let kept = names[table] { scope.add(kept.name, .columns(Set(columns.map { kept.columns[$0] ?? $0 }))) }
      }
    }
    return scope
  }
}

extension PlanStep {
  /// Creates a step that drops a table of the source, which may go by a different name now.
  init(dropping table: String, named name: String, cause: PlanCause, in context: PlanningContext) {
    self.init(
      "DROP TABLE \(name: name)", cause: cause, cost: context.mayHaveRows(inTable: table) ? .rows : .schema,
      rows: context.rowCount(ofTable: table))
    writing = .nothing
  }
}

/// A part of a plan: statements, and checks to run after them.
public struct PlanPhase: Hashable, Sendable {
  /// The statements in order.
  public var steps: [PlanStep]
  /// The questions that must find no row after the steps, before the next phase begins.
  public var validations: [PlanCheck]

  /// Creates a phase.
  public init(steps: [PlanStep], validations: [PlanCheck] = []) {
    (self.steps, self.validations) = (steps, validations)
  }
}
