import ModelComparison
import ModelDescription

/// What a template says of the differences between two models.
struct TemplateRemarks {
  private let step: ModelStep
  var pairing: EntityPairing { step.pairing }
  /// What new entities look like the successor of, by their names.
  private let likelySources: [String: String]
  /// What changed in properties, by the entity that declares them.
  private let changeRemarks: [String: [(property: String, words: String)]]
  /// What new properties look like the successor of, by the entity that declares them.
  private let renameRemarks: [String: [(property: String, words: String)]]

  init(_ step: ModelStep) {
    self.step = step
    var likelySources: [String: String] = [:]
    var changeRemarks: [String: [(String, String)]] = [:]
    var renameRemarks: [String: [(String, String)]] = [:]
    for change in step.changes where change.changesHash {
      guard case .property(let owner, let name) = change.element, change.kind != .removed,
        let words = Self.words(of: change, step.inferredMeaning(of: change))
      else { continue }
      changeRemarks[owner, default: []].append((name, words))
    }
    for case .looksLikeRename(let sourceElement, let element, _) in step.difference.hints {
      switch (sourceElement, element) {
      case (.entity(let old), .entity(let new)):
        if likelySources[new] == nil { likelySources[new] = old }
      case (.property(_, let old), .property(let owner, let name)):
        let words = "\(MappingTemplate.openDecision) looks like the former \(old); to keep it write $source.\(old)"
        renameRemarks[owner, default: []].append((name, words))
      default: break
      }
    }
    (self.likelySources, self.changeRemarks, self.renameRemarks) = (likelySources, changeRemarks, renameRemarks)
  }

  /// True when inference cannot say which entity continues which, or refuses to bring two tables into one.
  var isUnclear: Bool {
    !pairing.ambiguities.isEmpty
      || pairing.destination.roots.contains { pairing.sourceRoots(under: $0.name).count > 1 }
  }

  var general: [String] {
    var lines = ["Decide what is marked by DECIDE, and delete its comment. What is not written is inferred."]
    for ambiguity in pairing.ambiguities {
      lines.append("\(MappingTemplate.openDecision) \(Hint.ambiguousPairing(ambiguity))")
    }
    for root in pairing.destination.roots {
      let sourceRoots = pairing.sourceRoots(under: root.name)
      guard sourceRoots.count > 1 else { continue }
      lines.append(
        "\(sourceRoots.joined(separator: " and ")) come into one table, that of \(root.name), which inference refuses;"
          + " with this file their objects get new primary keys")
    }
    return lines
  }

  /// The lines about an entity that starts empty or goes.
  func lines(added: String?, removed: String?) -> [String] {
    if let added {
      if let old = likelySources[added] {
        return [
          "\(MappingTemplate.openDecision) \(added) is new and looks like the former \(old);"
            + " to keep the objects of \(old) add source=\"\(old)\" here and take the mapping of \(old) alone away"
        ]
      }
      return ["\(added) is new and starts empty"]
    }
    let name = removed ?? ""
    return [
      "\(MappingTemplate.openDecision) \(name) goes with all its objects; to keep them name a destination,"
        + " or state the loss with <drop name=\"\(name)\"/> in the mappingModel"
    ]
  }

  /// What changed of a destination entity's properties, inherited ones included, by name.
  func lines(ofPropertiesOf entity: String) -> [String: [String]] {
    var lines: [String: [String]] = [:]
    let lineage = pairing.destination.lineage(of: entity).reversed().map(\.name)
    for remarks in [changeRemarks, renameRemarks] {
      for owner in lineage {
        for (name, words) in remarks[owner] ?? [] { lines[name, default: []].append(words) }
      }
    }
    return lines
  }

  private static func words(of change: Change, _ meaning: ChangeMeaning) -> String? {
    let effect =
      switch meaning.verdict {
      case .inferable, .withheld, .custom: meaning.effect.description
      case .noMigration: String?.none
      case .refused, .dependsOnRows: "\(MappingTemplate.openDecision) \(meaning.effect)"
      }
    guard let effect, let remark = change.words.remark else { return nil }
    return "\(remark): \(effect)"
  }
}
