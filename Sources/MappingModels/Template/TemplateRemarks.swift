import ModelComparison
import ModelDescription

/// The remarks of a template about the differences between two models.
struct TemplateRemarks {
  private let step: ModelStep
  var pairing: EntityPairing { step.pairing }
  /// The source entities that new entities are probably renamed from, by the new names.
  private let likelySources: [String: String]
  /// The changes of properties, by the entity that declares them.
  private let changeRemarks: [String: [(property: String, words: String)]]
  /// The source properties that new properties are probably renamed from, by the entity that declares them.
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
        let words =
          "\(MappingTemplate.openDecision) looks like a rename of \(old); to keep its data, write $source.\(old)"
        renameRemarks[owner, default: []].append((name, words))
      default: break
      }
    }
    (self.likelySources, self.changeRemarks, self.renameRemarks) = (likelySources, changeRemarks, renameRemarks)
  }

  /// True if inference cannot pair the entities, or refuses to merge two tables.
  var isUnclear: Bool {
    !pairing.ambiguities.isEmpty
      || pairing.destination.roots.contains { pairing.sourceRoots(under: $0.name).count > 1 }
  }

  var general: [String] {
    var lines = [
      "Make the decisions marked with DECIDE, and delete their comments. Everything that you leave out is inferred."
    ]
    for ambiguity in pairing.ambiguities {
      lines.append("\(MappingTemplate.openDecision) \(Hint.ambiguousPairing(ambiguity))")
    }
    for root in pairing.destination.roots {
      let sourceRoots = pairing.sourceRoots(under: root.name)
      guard sourceRoots.count > 1 else { continue }
      lines.append(
        "\(sourceRoots.joined(separator: " and ")) are merged into the table of \(root.name), and inference refuses this;"
          + " with this file, their objects get new primary keys")
    }
    return lines
  }

  /// Returns the lines about an entity that starts empty or is removed.
  func lines(added: String?, removed: String?) -> [String] {
    if let added {
      if let old = likelySources[added] {
        return [
          "\(MappingTemplate.openDecision) \(added) is new and looks like a rename of \(old); to keep"
            + " the objects of \(old), add source=\"\(old)\" here and remove the separate mapping of \(old)"
        ]
      }
      return ["\(added) is new and starts empty"]
    }
    let name = removed ?? ""
    return [
      "\(MappingTemplate.openDecision) \(name) and all its objects are deleted; to keep them, name a"
        + " destination, or declare the loss with <drop name=\"\(name)\"/> in the mappingModel"
    ]
  }

  /// Returns the changes of a destination entity's properties, including inherited properties, by name.
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
