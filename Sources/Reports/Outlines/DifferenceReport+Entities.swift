import ModelComparison
import ModelDescription

extension DifferenceReport {
  /// The changes of one entity as a part to read.
  struct EntityPart: Hashable, Sendable {
    /// The entity's name, in the newer version where it has the entity; nil for what belongs to the whole model.
    let entity: String?
    /// What changed.
    let outline: Outline
  }

  /// What the difference means for stores, in few lines.
  var meaning: Outline {
    func list(_ lead: String, _ entities: [String]) -> [String] {
      entities.isEmpty ? [] : ["\(lead): \(entities.joined(separator: ", "))"]
    }
    var outline = outline
    outline.facts.removeAll(where: Set(hashFacts).contains)
    outline.facts += list("new hashes", entitiesWithNewHash) + list("hashes gone", entitiesWithoutHash)
    outline.parts = []
    return outline
  }

  /// What changed, grouped by entity in the order of their names, what belongs to the whole model last.
  var entityParts: [EntityPart] {
    var renamed: [String: String] = [:]
    for change in changes where change.element == change.entity {
      if let former = change.formerElement { renamed[former] = change.element }
    }
    let taken = Set(changes.filter { $0.element == $0.entity }.map(\.element))
    let groups = Dictionary(grouping: changes.filter { !$0.isWithoutEffect }) { change -> String? in
      guard let entity = change.entity else { return nil }
      return taken.contains(entity) ? entity : renamed[entity] ?? entity
    }
    let entities = groups.keys.compactMap { $0 }.sorted()
    return (entities as [String?] + (groups[nil] == nil ? [] : [nil])).map { entity in
      EntityPart(entity: entity, outline: Self.outline(of: entity, groups[entity] ?? []))
    }
  }

  private static func outline(of entity: String?, _ changes: [Entry]) -> Outline {
    let own = changes.filter { $0.element == entity }
    let others = changes.filter { $0.element != entity }
    let words = own.map(\.spokenSentence) + (own.isEmpty ? [Quantity.text(others.count, "change")] : [])
    return Outline(
      "\(entity ?? "The model"): \(words.joined(separator: "; "))", facts: own.map(\.consequence),
      parts: others.map { change in
        let name = name(of: change.element, in: entity)
        return Outline("\(name): \(change.spokenSentence)", facts: [change.consequence])
      })
  }

  /// The name of a property alone where the part says of which entity it is.
  private static func name(of element: String, in entity: String?) -> String {
    guard let entity, let lead = ["\(entity).", "\(entity) "].first(where: element.hasPrefix) else { return element }
    return String(element.dropFirst(lead.count))
  }
}

extension DifferenceReport.Entry {
  /// What the change does to the hash, to inference and to the rows, on one line.
  fileprivate var consequence: String { consequences.joined(separator: "; ") }
}
