import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration

extension RehearsedVersion.Finding {
  /// What is wrong, in one sentence without its full stop.
  public var sentence: String {
    switch cause {
    case .unknownVersion(let name): "\(name) is not a version of this bundle"
    case .broken(let step, let cause): "there is no way: the step \(step) breaks: \(cause.words.sentence)"
    case .noPath(let error): error.description
    case .migration(let step, let error): "\(step): \(error)"
    case .unsound(let problem): "the migrated store is not sound: \(problem)"
    case .difference(let difference, .straight): "\(difference.sentence(.straight)); the models give no reason"
    case .difference(let difference, let comparison): difference.sentence(comparison)
    case .otherEnding(let ending, let inPlace):
      "it ends otherwise than in place: \(ending.word), and \(inPlace.word) in place"
    case .oneHopRefused: "one hop is refused because of rows that every step takes"
    case .completeRowsRefused(let steps):
      "complete and unique rows are refused at \(Self.list(steps)), so no row is to blame"
    case .storeRefused(let steps): "the store is refused at \(Self.list(steps))"
    }
  }

  private static func list(_ steps: [RehearsedVersion.Step]) -> String {
    steps.map(\.description).joined(separator: ", ")
  }
}

extension RehearsedVersion.Note {
  /// The note in one sentence without its full stop.
  public var sentence: String {
    switch self {
    case .detour(let detour): "one hop: \(detour)"
    case .difference(let difference, let comparison): difference.sentence(comparison)
    case .straight(let reason): reason.sentence
    }
  }
}

extension RehearsedVersion.Refusal {
  /// What rows are refused for, a line each.
  public var reason: String { reasons.joined(separator: "\n") }

  /// What rows are refused for, a sentence each, with the options that `migrate` takes; a rehearsal takes none of them.
  public var reasons: [String] {
    switch self {
    case .rows(let blockers): blockers.map { $0.sentence(leadingToOption: "To go on, migrate with") }
    case .blocked(let blocked): blocked.sentences
    case .expression(let error): [error.description]
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
  /// The element, how many objects differ, and what the two stores have in the first of them.
  fileprivate func sentence(_ comparison: RehearsedVersion.Comparison) -> String {
    let (name, other) = comparison.names
    return """
      \(element) differs in \(count) \(count == 1 ? "object" : "objects"), first Z_PK \(firstKey): \
      \(values) \(name), \(otherValues) \(other)
      """
  }
}

extension RehearsedVersion.Comparison {
  /// What the two stores are called.
  fileprivate var names: (String, String) {
    switch self {
    case .clone: ("by clone", "in place")
    case .stepped(let path): (path.rawValue, "in one hop")
    case .straight: ("straight", "through the versions")
    case .unchanged: ("afterwards", "before, though no version changes it")
    }
  }
}
