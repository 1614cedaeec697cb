public import PersistentStores

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

    /// Takes what was found in one store.
    public init(path: String, modelVersion: String?, problems: [StoreFinding]) {
      self.path = path
      self.modelVersion = modelVersion ?? "its cached model"
      model = modelVersion.map { "version \($0)" } ?? "the model in it"
      isSound = !problems.contains { $0.severity == .error }
      self.problems = problems.map(Finding.init)
    }

    private let model: String

    private enum CodingKeys: CodingKey {
      case path, modelVersion, isSound, problems
    }

    fileprivate var text: String {
      let lines = problems.flatMap { WrappedText.lines($0.sentence, lead: "  ", indent: "    ") }
      let heading =
        problems.isEmpty
        ? "\(path): sound, everything is as \(model) says"
        : "\(path): \(isSound ? "sound with warnings" : "not what \(model) says")"
      return ([heading] + lines).joined(separator: "\n") + "\n"
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
      sentence = problem.description
    }
  }

  /// A heading a store, then one line a problem.
  public var text: String { stores.map(\.text).joined() }
}
