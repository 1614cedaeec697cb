import ModelDescription
public import PersistentStores
public import StoreMigration

/// The problems of stores.
public struct VerificationReport: Encodable, Hashable, Sendable {
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
    /// The path as it was given.
    public let path: String
    /// The version that it was checked against.
    public let modelVersion: String
    /// Whether no problem is an error.
    public let isSound: Bool
    /// The problems in the order of the checks.
    public let problems: [Finding]

    /// The repair; nil if none was requested.
    public let repair: Repair?

    /// The command that helps with the errors; nil for a sound store, and for errors in values only.
    public let next: String?

    /// Creates a report of the problems of a single store, after a repair if there was one.
    ///
    /// - Parameter options: the command line options that ``next`` repeats, each after a space.
    public init(
      path: String, modelVersion: String?, problems: [StoreFinding], repair: Repair? = nil, options: String = ""
    ) {
      (self.path, self.repair) = (path, repair)
      let command: String? =
        switch StoreMender.remedy(for: problems, isRepaired: repair != nil) {
        case .repair: "modelctl verify --repair"
        case .rescue: "modelctl rescue"
        case nil: nil
        }
      next = command.map { "\($0) \(ShellWord(path: path).text)\(options)" }
      self.modelVersion = modelVersion ?? "its cached model"
      model = modelVersion.map { "version \($0)" } ?? "the model inside the store"
      isSound = !problems.contains { $0.severity == .error }
      self.problems = problems.map(Finding.init)
    }

    private let model: String

    private enum CodingKeys: CodingKey {
      case path, modelVersion, isSound, problems, repair, next
    }

    var text: String {
      let lines =
        ((repair?.lines ?? []) + problems.map(\.sentence)).flatMap {
          WrappedText.lines($0, lead: "  ", indent: "    ")
        } + (next.map { ["  next: \($0)"] } ?? [])
      let state = problems.isEmpty ? "sound" : isSound ? "sound with warnings" : "not sound"
      let isRepaired = repair?.mended.isEmpty == false
      let heading = "\(path): \(isRepaired && repair?.isRehearsal == true ? "would be " : "")\(state)"
      let basis = isRepaired ? " after the repair" : " (checked against \(model))"
      return ([heading + basis] + lines).joined(separator: "\n") + "\n"
    }
  }

  /// A repair of a store; the problems of the store are those that are left.
  public struct Repair: Encodable, Hashable, Sendable {
    /// The repairs that were made, or would be made.
    public let mended: [Mending]
    /// The path of the original; nil if the store is unchanged.
    public let backup: String?
    /// Whether this was a dry run.
    public let isRehearsal: Bool

    /// Creates a report of a repair.
    public init(_ outcome: StoreRepair.Outcome, isRehearsal: Bool) {
      mended = outcome.mended.map(Mending.init)
      (backup, self.isRehearsal) = (outcome.backup, isRehearsal)
    }

    fileprivate var lines: [String] {
      mended.map { "\(isRehearsal ? "would repair" : "repaired"): \($0.sentence) [\($0.kind)]" }
        + (backup.map { ["backup: \($0)"] } ?? [])
    }
  }

  /// One thing that was mended.
  public struct Mending: Encodable, Hashable, Sendable {
    /// The kind of problem, a stable name.
    public let kind: String
    /// The number of changed rows, or 1 if the repair does not change rows.
    public let count: Int
    /// The repair as a sentence.
    public let sentence: String

    fileprivate init(_ mending: StoreMending) {
      (kind, count, sentence) = (mending.kind.rawValue, mending.count, mending.sentence)
    }
  }

  /// One problem.
  public struct Finding: Encodable, Hashable, Sendable {
    /// Its kind, a stable name.
    public let kind: String
    /// `error` or `warning`.
    public let severity: String
    /// The entity it is about.
    public let entity: String?
    /// The property it is about.
    public let property: String?
    /// The number of rows.
    public let count: Int
    /// The first `Z_PK`s.
    public let primaryKeys: [Int64]
    /// The problem on a single line.
    public let sentence: String

    fileprivate init(_ problem: StoreFinding) {
      kind = problem.kind.rawValue
      severity = problem.severity.rawValue
      entity = problem.entity
      property = problem.property
      count = problem.count
      primaryKeys = problem.primaryKeys
      sentence = problem.lineWithOptions
    }
  }

  /// A heading per store, then one line per problem.
  public var text: String { stores.map(\.text).joined() }
}
