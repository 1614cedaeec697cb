import MappingModels
import ModelComparison
import ModelDescription

extension DifferenceReport {
  /// The changes as accessible text: one part per change, then changes without effect, then hints.
  public var outline: Outline {
    let lead = "from \(from) to \(to)"
    let others = omittedCount == 0 ? [] : ["\(Quantity.text(omittedCount, "change")) of other entities not shown"]
    guard !changes.isEmpty else { return Outline("\(lead): no change", facts: others) }
    var outline = Outline("\(lead): \(Quantity.text(changes.count, "change"))", facts: others)
    if isSameVersion { outline.facts.append("the same version, so no store migrates") }
    outline.facts += hashFacts
    if let words = verdict?.words(in: .spoken) {
      outline.facts.append(words.cause)
      outline.advice = words.advice
    }
    outline.parts = changes.filter { !$0.isWithoutEffect }.map(\.outline) + closingParts
    return outline
  }

  /// The entities with new and removed hashes, one fact each.
  var hashFacts: [String] {
    entitiesWithNewHash.map { "\($0) has a new hash" } + entitiesWithoutHash.map { "the hash of \($0) is removed" }
  }

  /// The changes without effect, then the hints.
  var closingParts: [Outline] {
    let idle = changes.filter(\.isWithoutEffect).map { "\($0.element): \($0.spokenSentence)" }
    return (idle.isEmpty ? [] : [Outline("without effect on hash and rows", facts: idle)])
      + (hints.isEmpty ? [] : [Outline("hints", facts: hints.map { $0.words(in: .spoken) })])
  }

  /// The report with only the changes of these entities, and the number of omitted changes.
  ///
  /// - Parameter entities: the names, of the newer version if it has the entity.
  public func focused(on entities: Set<String>) -> DifferenceReport {
    // What is gone from a renamed entity is shown under its older name.
    let former = changes.filter { $0.element == $0.entity && entities.contains($0.element) }.compactMap(\.formerElement)
    let entities = entities.union(former)
    var part = self
    part.changes = changes.filter { $0.entity.map(entities.contains) ?? false }
    part.omittedCount = omittedCount + changes.count - part.changes.count
    part.entitiesWithNewHash = entitiesWithNewHash.filter(entities.contains)
    part.entitiesWithoutHash = entitiesWithoutHash.filter(entities.contains)
    return part
  }

  /// The accessible text, in lines.
  public var plainText: String { outline.text }
}

extension DifferenceReport.Entry {
  fileprivate var outline: Outline { Outline("\(element): \(spokenSentence)", facts: consequences) }

  /// The effects on the hash, on inference and on the rows.
  var consequences: [String] { [hashWords, inferenceWords, "rows: \(effect.words(in: .spoken))"] }
}

extension DifferenceReport {
  /// The changes of a single entity, as one part.
  struct EntityPart: Hashable, Sendable {
    /// The entity's name, in the newer version if it has the entity; nil for changes of the model.
    let entity: String?
    let outline: Outline
  }

  /// The effect of the difference on stores, in few lines.
  var meaning: Outline {
    func list(_ lead: String, _ entities: [String]) -> [String] {
      entities.isEmpty ? [] : ["\(lead): \(entities.joined(separator: ", "))"]
    }
    var outline = outline
    outline.facts.removeAll(where: Set(hashFacts).contains)
    outline.facts += list("new hashes", entitiesWithNewHash) + list("removed hashes", entitiesWithoutHash)
    if let advice = outline.advice { outline.facts.append(advice.text) }
    (outline.advice, outline.parts) = (nil, [])
    return outline
  }

  /// The changes grouped by entity, sorted by name; changes of the model are last.
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

  /// The name of a property, without the entity of the part.
  private static func name(of element: String, in entity: String?) -> String {
    guard let entity, let lead = ["\(entity).", "\(entity) "].first(where: element.hasPrefix) else { return element }
    return String(element.dropFirst(lead.count))
  }
}

extension DifferenceReport.Entry {
  /// The effects on the hash, on inference and on the rows, on a single line.
  fileprivate var consequence: String { consequences.joined(separator: "; ") }
}
