import ModelDescription
public import PersistentStores
public import StoreMigration

/// What is wrong with each store, for people and programs.
public struct VerificationReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The stores in the order asked for.
  public let stores: [Store]

  private enum CodingKeys: CodingKey {
    case version, stores
  }

  /// Takes what was found.
  public init(_ stores: [Store]) { self.stores = stores }

  /// One store.
  public struct Store: Encodable, Hashable, Sendable {
    /// The path as asked for.
    public let path: String
    /// The version it was held against.
    public let modelVersion: String
    /// True when no problem is an error.
    public let isSound: Bool
    /// The problems in the order of the checks.
    public let problems: [Finding]

    /// What a repair did; nil where none was asked for.
    public let repair: Repair?

    /// The command that helps with the errors; nil for a sound store, and for errors in values only.
    public let next: String?

    /// Takes what was found in one store, with a repair afterwards.
    ///
    /// - Parameter options: the options of the command line that ``next`` repeats, each after a space.
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
      model = modelVersion.map { "version \($0)" } ?? "the model in it"
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
      if let repair, !repair.mended.isEmpty {
        let state = problems.isEmpty ? "sound" : isSound ? "sound with warnings" : "not what \(model) says"
        return (["\(path): \(repair.isRehearsal ? "would be " : "")\(state) after the repair"] + lines).joined(
          separator: "\n")
          + "\n"
      }
      let heading =
        problems.isEmpty
        ? "\(path): sound, everything is as \(model) says"
        : "\(path): \(isSound ? "sound with warnings" : "not what \(model) says")"
      return ([heading] + lines).joined(separator: "\n") + "\n"
    }
  }

  /// What a repair did to a store, whose problems are those that are left.
  public struct Repair: Encodable, Hashable, Sendable {
    /// What was mended, or would be.
    public let mended: [Mending]
    /// Where the store is as it was; nil where nothing was changed.
    public let backup: String?
    /// True where nothing was changed because nothing was to be.
    public let isRehearsal: Bool

    /// Takes what a repair did.
    public init(_ outcome: StoreRepair.Outcome, isRehearsal: Bool) {
      mended = outcome.mended.map(Mending.init)
      (backup, self.isRehearsal) = (outcome.backup, isRehearsal)
    }

    fileprivate var lines: [String] {
      mended.map { "\(isRehearsal ? "would mend" : "mended"): \($0.sentence) [\($0.kind)]" }
        + (backup.map { ["backup: \($0)"] } ?? [])
    }
  }

  /// One thing that was mended.
  public struct Mending: Encodable, Hashable, Sendable {
    /// The kind of problem, a stable name.
    public let kind: String
    /// The number of rows that were changed, or 1 where rows do not count.
    public let count: Int
    /// What was done.
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
    /// All of it on one line.
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

  /// A heading a store, then one line a problem.
  public var text: String { stores.map(\.text).joined() }
}
