public import MappingModels
public import ModelComparison
import ModelDescription

/// What changed between two versions, for people and programs.
///
/// ```swift
/// let bundle = try ModelBundle(at: "Orders.xcdatamodeld")
/// let (old, new) = (try bundle.versions[0].load().model, try bundle.versions[1].load().model)
/// let difference = try ModelDifference(from: old, to: new)
/// print(DifferenceReport(from: "v1", to: "v2", difference, refusal: nil).text)
/// ```
///
/// ## Topics
///
/// ### What is compared
/// - ``from``
/// - ``to``
/// - ``version``
///
/// ### What is said
/// - ``isSameVersion``
/// - ``isInferable``
/// - ``refusal``
/// - ``changes``
/// - ``hints``
/// - ``entitiesWithNewHash``
/// - ``entitiesWithoutHash``
///
/// ### As text
/// - ``text``
public struct DifferenceReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The older version.
  public let from: String
  /// The newer version.
  public let to: String
  /// True when every hash is equal, so that no migration happens.
  public let isSameVersion: Bool
  /// Whether a migration from the one to the other is inferred.
  public let isInferable: Bool
  /// Why it is not.
  public let refusal: String?
  /// The entities whose hash is new.
  public internal(set) var entitiesWithNewHash: [String]
  /// The entities that go.
  public internal(set) var entitiesWithoutHash: [String]
  /// Every change in the order of the newer model.
  public internal(set) var changes: [Entry]
  /// What a developer should look at.
  public let hints: [String]
  /// Who infers the migration or does not, and why; nil for the same version.
  let verdict: String?
  /// How many changes of other entities are not in it.
  var omittedCount = 0

  private enum CodingKeys: CodingKey {
    case version, from, to, isSameVersion, isInferable, refusal, entitiesWithNewHash, entitiesWithoutHash
    case changes, hints
  }

  /// One change.
  public struct Entry: Encodable, Hashable, Sendable {
    /// The entity or property, such as `Order.note`.
    public let element: String
    /// Its name in the older model, nil when it is new.
    public let formerElement: String?
    /// `added`, `removed`, `renamed`, `moved`, `changed` and so on.
    public let kind: String
    /// What changed, for `changed`.
    public let aspect: String?
    /// The old state, for `changed`.
    public let old: String?
    /// The new state, for `changed`.
    public let new: String?
    /// The change in one sentence.
    public let sentence: String
    /// True when the change alone gives an entity another hash.
    public let changesHash: Bool
    /// `inferable`, `not-inferable`, `depends-on-rows` or `no-migration`.
    public let inferability: String
    /// Why not, or on what it depends.
    public let condition: String?
    /// What happens to the rows.
    public let dataEffect: String
    /// The change in one sentence without arrows, and without names that only programs have.
    let spokenSentence: String
    /// What happens to the rows, as a value.
    let effect: DataEffect
    /// True for what neither makes a new version nor reaches any row.
    let isWithoutEffect: Bool
    /// The entity it is about, nil for the model and its other parts.
    let entity: String?

    private enum CodingKeys: CodingKey {
      case element, formerElement, kind, aspect, old, new, sentence, changesHash, inferability, condition, dataEffect
    }
  }

  /// Takes a comparison.
  ///
  /// - Parameters:
  ///   - from: the name of the older version.
  ///   - to: the name of the newer version.
  ///   - difference: what changed.
  ///   - refusal: why no mapping is inferred, nil when one is.
  public init(from: String, to: String, _ difference: ModelDifference, refusal: InferenceRefusal?) {
    self.from = from
    self.to = to
    isSameVersion = difference.isSameVersion
    isInferable = refusal == nil
    self.refusal = refusal?.description
    entitiesWithNewHash = difference.entitiesWithNewHash
    entitiesWithoutHash = difference.entitiesWithoutHash
    changes = difference.changes.map(Entry.init)
    hints = difference.hints.map(\.description)
    let dependsOnRows = difference.changes.contains { change in
      if case .dependsOnRows = change.inferability { true } else { false }
    }
    verdict =
      if let refusal {
        "\(refusal.code == nil ? "modelctl" : "Core Data") infers no migration: \(refusal)"
      } else if isSameVersion {
        nil
      } else {
        "Core Data infers the migration" + (dependsOnRows ? ", if the rows allow it" : "")
      }
  }

  /// A heading, then three lines a change, then the hints.
  public var text: String {
    guard !changes.isEmpty else { return "\(from) → \(to): no change\n" }
    let count = Quantity.text(changes.count, "change")
    var lines = ["\(from) → \(to): \(count)\(isSameVersion ? "; the same version, so no store migrates" : "")"]
    for (lead, entities) in [("new hashes: ", entitiesWithNewHash), ("hashes gone: ", entitiesWithoutHash)] {
      guard !entities.isEmpty else { continue }
      lines += WrappedText.lines(lead + entities.joined(separator: ", "), lead: "", indent: "  ")
    }
    if let verdict { lines += WrappedText.lines(verdict, lead: "", indent: "  ") }
    for change in changes where !change.isWithoutEffect {
      lines += ["", change.element]
      for sentence in [change.sentence, change.meaning, "rows: \(change.dataEffect)"] {
        lines += WrappedText.lines(sentence, lead: "  ", indent: "    ")
      }
    }
    let idle = Dictionary(grouping: changes.filter(\.isWithoutEffect)) { $0.aspect ?? $0.kind }
    if !idle.isEmpty { lines += ["", "without effect on hash and rows:"] }
    for (aspect, changes) in idle.sorted(by: { $0.key < $1.key }) {
      let elements = changes.map(\.element).joined(separator: ", ")
      lines += WrappedText.lines("\(aspect) of \(elements)", lead: "  ", indent: "    ")
    }
    if !hints.isEmpty { lines.append("") }
    lines += hints.flatMap { WrappedText.lines("hint: \($0)", lead: "", indent: "  ") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension DifferenceReport.Entry {
  init(_ change: Change) {
    element = change.element.description
    entity = change.element.entityName
    formerElement = change.sourceElement?.description
    changesHash = change.changesHash
    effect = change.effect
    dataEffect = change.effect.description
    (inferability, condition) =
      switch change.inferability {
      case .inferable: ("inferable", nil)
      case .notInferable(let reason): ("not-inferable", reason.description)
      case .dependsOnRows(let condition): ("depends-on-rows", condition.description)
      case .noMigration: ("no-migration", nil)
      }
    var aspect: Aspect?
    var (old, new): (String?, String?) = (nil, nil)
    switch change.kind {
    case .added: kind = "added"
    case .removed: kind = "removed"
    case .renamed(let from, let to): (kind, old, new) = ("renamed", from, to)
    case .moved(let from, let to): (kind, old, new) = ("moved", from, to)
    case .attributeBecameRelationship: kind = "attribute-became-relationship"
    case .relationshipBecameAttribute: kind = "relationship-became-attribute"
    case .changed(let changed, let from, let to):
      (kind, aspect, old, new) = ("changed", changed, "\(from)", "\(to)")
    case .followsRename(let changed, let from, let to): (kind, aspect, old, new) = ("follows-rename", changed, from, to)
    case .followsAncestor: kind = "follows-ancestor"
    }
    (self.aspect, self.old, self.new) = (aspect?.rawValue, old, new)
    sentence = change.words.sentence
    spokenSentence = change.words.spoken
    isWithoutEffect = change.inferability == .noMigration && change.effect == .none
  }

  /// What the change means for the version and for inference.
  fileprivate var meaning: String {
    let hash = changesHash ? "changes the hash" : "leaves the hash"
    return switch (inferability, condition) {
    case ("not-inferable", let reason?): "\(hash); not inferable: \(reason)"
    case ("depends-on-rows", let condition?): "\(hash); inferable if \(condition)"
    case ("no-migration", _): "\(hash); no migration happens"
    default: "\(hash); inferable"
    }
  }
}
