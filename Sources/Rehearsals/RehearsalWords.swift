import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration

extension RehearsedVersion.Finding {
  /// The finding as a sentence, without its full stop.
  public var sentence: String {
    switch cause {
    case .unknownVersion(let name): "\(name) is not a version of this bundle"
    case .broken(let step, let cause): "no migration path exists: the step \(step) fails: \(cause.words.sentence)"
    case .noPath(let error): error.description
    case .migration(let step, let error): "\(step): \(error.sentence)"
    case .unsound(let problem): "the migrated store is not sound: \(problem)"
    case .difference(let difference, .straight): "\(difference.sentence(.straight)); the models do not explain this"
    case .difference(let difference, let comparison): difference.sentence(comparison)
    case .otherEnding(let ending, let inPlace):
      "it ends with another result than in place: \(ending.word), and \(inPlace.word) in place"
    case .combinedPathRefused: "it is refused because of rows that every single step accepts"
    case .completeRowsRefused(let steps):
      "complete and unique rows are refused at \(Self.list(steps)), so the models are the cause"
    case .storeRefused(let steps): "the store is refused at \(Self.list(steps))"
    }
  }

  private static func list(_ steps: [RehearsedVersion.Step]) -> String {
    steps.map(\.description).joined(separator: ", ")
  }
}

extension RehearsedVersion.Note {
  /// The note as a sentence, without its full stop.
  public var sentence: String {
    switch self {
    case .detour(let detour): "in place: \(detour)"
    case .difference(let difference, let comparison): difference.sentence(comparison)
    case .straight(let reason): reason.sentence
    }
  }
}

extension RehearsedVersion.Refusal {
  /// The reasons for the refusal, one per line.
  public var reason: String { reasons.joined(separator: "\n") }

  /// The reasons for the refusal, a sentence each, with the options of `migrate`, which a rehearsal does not have.
  public var reasons: [String] {
    switch self {
    case .rows(let blockers): blockers.map(\.textForMigration)
    case .blocked(let blocked): blocked.text.split(separator: "\n").map(String.init)
    case .expression(let error): [error.text]
    }
  }
}

extension RehearsedVersion.Step: CustomStringConvertible {
  /// The two versions.
  public var description: String { "\(source) → \(destination)" }
}

extension RehearsedVersion.Ending {
  /// The ending in one word.
  public var word: String {
    switch self {
    case .migrated: "migrated"
    case .refused: "refused"
    case .failed: "failed"
    }
  }
}

extension ContentDifference {
  /// The element, the number of objects that differ, and both values of the first object.
  fileprivate func sentence(_ comparison: RehearsedVersion.Comparison) -> String {
    let (name, other) = comparison.names
    return """
      \(element) differs in \(count) \(count == 1 ? "object" : "objects"), first Z_PK \(firstKey): \
      \(values) \(name), \(otherValues) \(other)
      """
  }
}

extension RehearsedVersion.Comparison {
  /// The names of the two stores.
  fileprivate var names: (String, String) {
    switch self {
    case .clone: ("on a copy", "in place")
    case .stepped(let path): (path.rawValue, "in place")
    case .straight: ("directly", "step by step")
    case .unchanged: ("after", "before, although no version changes it")
    }
  }
}
