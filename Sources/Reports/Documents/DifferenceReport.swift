public import MappingModels
public import ModelComparison
import ModelDescription

/// The changes between two versions.
///
/// ```swift
/// let bundle = try ModelBundle(at: "Orders.xcdatamodeld")
/// let (old, new) = (try bundle.versions[0].load().model, try bundle.versions[1].load().model)
/// let step = ModelStep(from: try EntityHierarchy(old), to: try EntityHierarchy(new))
/// print(DifferenceReport(from: "v1", to: "v2", step).text)
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
  /// Whether all hashes are equal, so that no migration is needed.
  public let isSameVersion: Bool
  /// Whether the migration can be inferred, or is not needed.
  public let isInferable: Bool
  /// The reason why it cannot be inferred.
  public let refusal: String?
  /// The entities with a new hash.
  public internal(set) var entitiesWithNewHash: [String]
  /// The removed entities.
  public internal(set) var entitiesWithoutHash: [String]
  /// Every change in the order of the newer model.
  public internal(set) var changes: [Entry]
  /// The hints for developers.
  public let hints: [Hint]
  /// The verdict on the migration; nil for the same version.
  let verdict: Verdict?
  /// The number of omitted changes of other entities.
  var omittedCount = 0

  private enum CodingKeys: CodingKey {
    case version, from, to, isSameVersion, isInferable, refusal, entitiesWithNewHash, entitiesWithoutHash
    case changes, hints
  }

  /// The verdict on a migration.
  enum Verdict: Hashable, Sendable {
    case refused(InferenceRefusal)
    case inferred(ifRowsAllow: Bool)
    case custom

    /// The verdict in words, with the reason.
    func words(in style: WordStyle) -> ErrorWords {
      switch self {
      case .refused(let refusal):
        let words = refusal.words(in: style)
        let reader = refusal.code == nil ? "modelctl" : "Core Data"
        return ErrorWords("\(reader) cannot infer the migration: \(words.cause)", words.advice)
      case .inferred(let ifRowsAllow):
        return ErrorWords("Core Data infers the migration" + (ifRowsAllow ? ", if the rows allow it" : ""))
      case .custom: return ErrorWords("a mapping model is used")
      }
    }
  }

  /// One change.
  public struct Entry: Encodable, Hashable, Sendable {
    /// The kind of a change, without its data.
    public enum Kind: String, Encodable, Hashable, Sendable {
      case added
      case removed
      case renamed
      case moved
      case attributeBecameRelationship = "attribute-became-relationship"
      case relationshipBecameAttribute = "relationship-became-attribute"
      case changed
      case followsRename = "follows-rename"
      case followsAncestor = "follows-ancestor"
    }

    /// The entity or property, such as `Order.note`.
    public let element: String
    /// Its name in the older model, nil when it is new.
    public let formerElement: String?
    /// The kind of the change.
    public let kind: Kind
    /// The changed aspect, for `changed`.
    public let aspect: String?
    /// The old state, for `changed`.
    public let old: String?
    /// The new state, for `changed`.
    public let new: String?
    /// The change as a sentence.
    public let sentence: String
    /// Whether this change alone gives an entity a new hash.
    public let changesHash: Bool
    /// Whether Core Data can infer the migration of this change.
    public let verdict: ChangeMeaning.Verdict
    /// The reason why it cannot be inferred, or its condition.
    let condition: String?
    /// The effect on the rows.
    public let dataEffect: String
    /// The change as a sentence without arrows and without technical names.
    let spokenSentence: String
    /// The effect on the rows, as a value.
    let effect: DataEffect
    /// Whether the change affects neither the version nor any row.
    let isWithoutEffect: Bool
    /// Its entity; nil for the model and its other parts.
    let entity: String?

    private enum CodingKeys: CodingKey {
      case element, formerElement, kind, aspect, old, new, sentence, changesHash, inferability, condition, dataEffect
    }

    /// Writes the verdict as its name and its condition; a key without a value is left out.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(element, forKey: .element)
      try container.encodeIfPresent(formerElement, forKey: .formerElement)
      try container.encode(kind, forKey: .kind)
      try container.encodeIfPresent(aspect, forKey: .aspect)
      try container.encodeIfPresent(old, forKey: .old)
      try container.encodeIfPresent(new, forKey: .new)
      try container.encode(sentence, forKey: .sentence)
      try container.encode(changesHash, forKey: .changesHash)
      try container.encode(verdict.name, forKey: .inferability)
      try container.encodeIfPresent(condition, forKey: .condition)
      try container.encode(dataEffect, forKey: .dataEffect)
    }
  }

  /// Creates a report of a comparison.
  public init(from: String, to: String, _ step: ModelStep) {
    (self.from, self.to) = (from, to)
    let difference = step.difference
    // What has the same hashes opens as it is, whatever inference would refuse.
    let refusal = difference.isSameVersion ? nil : step.refusals.first
    isSameVersion = difference.isSameVersion
    isInferable = refusal == nil
    self.refusal = refusal?.description
    entitiesWithNewHash = difference.entitiesWithNewHash
    entitiesWithoutHash = difference.entitiesWithoutHash
    changes = difference.changes.map { Entry($0, step.meaning(of: $0)) }
    hints = difference.hints
    verdict =
      if isSameVersion {
        nil
      } else {
        switch step.outcome {
        case .inferred: .inferred(ifRowsAllow: !step.requirements.isEmpty)
        case .custom: .custom
        case .refused: refusal.map { .refused($0) }
        }
      }
  }

  /// Writes the hints in words; a key without a value is left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
    try container.encode(isSameVersion, forKey: .isSameVersion)
    try container.encode(isInferable, forKey: .isInferable)
    try container.encodeIfPresent(refusal, forKey: .refusal)
    try container.encode(entitiesWithNewHash, forKey: .entitiesWithNewHash)
    try container.encode(entitiesWithoutHash, forKey: .entitiesWithoutHash)
    try container.encode(changes, forKey: .changes)
    try container.encode(hints.map(\.description), forKey: .hints)
  }

  /// A heading, then three lines a change, then the hints.
  public var text: String {
    guard !changes.isEmpty else { return "from \(from) to \(to): no change\n" }
    return "from \(from) to \(to): \(Quantity.text(changes.count, "change"))\(sameness)\n\(body)"
  }

  /// The words after the number of changes.
  var sameness: String { isSameVersion ? "; the same version, so no store migrates" : "" }

  /// The text without its heading.
  var body: String {
    var lines: [String] = []
    for (lead, entities) in [("new hashes: ", entitiesWithNewHash), ("removed hashes: ", entitiesWithoutHash)] {
      guard !entities.isEmpty else { continue }
      lines += WrappedText.lines(lead + entities.joined(separator: ", "), lead: "", indent: "  ")
    }
    if let words = verdict?.words(in: .written).sentence {
      lines += WrappedText.lines(SpokenText.shown(words), lead: "", indent: "  ")
    }
    for change in changes where !change.isWithoutEffect {
      lines += ["", change.element]
      for sentence in [
        change.sentence, "\(change.hashWords); \(change.inferenceWords)", "rows: \(change.dataEffect)",
      ] {
        lines += WrappedText.lines(SpokenText.shown(sentence), lead: "  ", indent: "    ")
      }
    }
    let idle = Dictionary(grouping: changes.filter(\.isWithoutEffect)) { $0.aspect ?? $0.kind.rawValue }
    if !idle.isEmpty { lines += ["", "without effect on hash and rows:"] }
    for (aspect, changes) in idle.sorted(by: { $0.key < $1.key }) {
      let elements = changes.map(\.element).joined(separator: ", ")
      lines += WrappedText.lines("\(aspect) of \(elements)", lead: "  ", indent: "    ")
    }
    if !hints.isEmpty { lines.append("") }
    lines += hints.flatMap { WrappedText.lines(SpokenText.shown("hint: \($0)"), lead: "", indent: "  ") }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension DifferenceReport.Entry {
  init(_ change: Change, _ meaning: ChangeMeaning) {
    element = change.element.description
    entity = change.element.entityName
    formerElement = change.sourceElement?.description
    changesHash = change.changesHash
    effect = meaning.effect
    dataEffect = meaning.effect.description
    verdict = meaning.verdict
    condition = meaning.verdict.condition(of: change)
    var aspect: Aspect?
    var (old, new): (String?, String?) = (nil, nil)
    switch change.kind {
    case .added: kind = .added
    case .removed: kind = .removed
    case .renamed(let from, let to): (kind, old, new) = (.renamed, from, to)
    case .moved(let from, let to): (kind, old, new) = (.moved, from, to)
    case .attributeBecameRelationship: kind = .attributeBecameRelationship
    case .relationshipBecameAttribute: kind = .relationshipBecameAttribute
    case .changed(let changed, let from, let to): (kind, aspect, old, new) = (.changed, changed, "\(from)", "\(to)")
    case .followsRename(let changed, let from, let to): (kind, aspect, old, new) = (.followsRename, changed, from, to)
    case .followsAncestor: kind = .followsAncestor
    }
    (self.aspect, self.old, self.new) = (aspect?.rawValue, old, new)
    sentence = change.words.sentence
    spokenSentence = change.words.spoken
    isWithoutEffect = meaning == .none
  }

  /// The effect on the version, in a clause.
  var hashWords: String { changesHash ? "changes the hash" : "keeps the hash" }

  /// The effect on inference, in a clause.
  var inferenceWords: String {
    switch verdict {
    case .inferable: "inferable"
    case .refused: "not inferable: \(condition ?? "")"
    case .withheld(let refusal): "not inferred, because of \(refusal.element)"
    case .dependsOnRows: "inferable if \(condition ?? "")"
    case .noMigration: "needs no migration"
    case .custom: "a mapping model is used"
    }
  }
}

extension ChangeMeaning.Verdict {
  fileprivate var name: String {
    switch self {
    case .inferable: "inferable"
    case .refused, .withheld: "not-inferable"
    case .dependsOnRows: "depends-on-rows"
    case .noMigration: "no-migration"
    case .custom: "custom"
    }
  }
}
