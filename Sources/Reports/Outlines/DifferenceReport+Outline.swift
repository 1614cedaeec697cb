import MappingModels
import ModelComparison
import ModelDescription

extension DifferenceReport {
  /// What changed as a document to read: a part a change, then what has no effect, then the hints.
  public var outline: Outline {
    let lead = "from \(from) to \(to)"
    let others = omittedCount == 0 ? [] : ["\(Quantity.text(omittedCount, "change")) of other entities not shown"]
    guard !changes.isEmpty else { return Outline("\(lead): no change", facts: others) }
    var outline = Outline("\(lead): \(Quantity.text(changes.count, "change"))", facts: others)
    if isSameVersion { outline.facts.append("the same version, so no store migrates") }
    outline.facts += hashFacts
    if let verdict { outline.facts.append(verdict.words(in: .spoken)) }
    outline.parts = changes.filter { !$0.isWithoutEffect }.map(\.outline) + closingParts
    return outline
  }

  /// Which entities get another hash, or have none any more, one fact each.
  var hashFacts: [String] {
    entitiesWithNewHash.map { "\($0) has a new hash" } + entitiesWithoutHash.map { "the hash of \($0) is removed" }
  }

  /// What has no effect, then the hints.
  var closingParts: [Outline] {
    let idle = changes.filter(\.isWithoutEffect).map { "\($0.element): \($0.spokenSentence)" }
    return (idle.isEmpty ? [] : [Outline("without effect on hash and rows", facts: idle)])
      + (hints.isEmpty ? [] : [Outline("hints", facts: hints.map { $0.words(in: .spoken) })])
  }

  /// The report with only the changes of these entities, which counts what it leaves out.
  ///
  /// - Parameter entities: names, of the newer version where it has the entity.
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

  /// The document on lines that read well aloud.
  public var plainText: String { outline.text }
}

extension DifferenceReport.Entry {
  fileprivate var outline: Outline { Outline("\(element): \(spokenSentence)", facts: consequences) }

  /// What the change does to the hash, to inference and to the rows.
  var consequences: [String] { [hashWords, inferenceWords, "rows: \(effect.words(in: .spoken))"] }
}

extension DifferenceReport {
  /// The changes of one entity as a part to read.
  struct EntityPart: Hashable, Sendable {
    /// The entity's name, in the newer version where it has the entity; nil for what belongs to the whole model.
    let entity: String?
    let outline: Outline
  }

  /// What the difference means for stores, in few lines.
  var meaning: Outline {
    func list(_ lead: String, _ entities: [String]) -> [String] {
      entities.isEmpty ? [] : ["\(lead): \(entities.joined(separator: ", "))"]
    }
    var outline = outline
    outline.facts.removeAll(where: Set(hashFacts).contains)
    outline.facts += list("new hashes", entitiesWithNewHash) + list("removed hashes", entitiesWithoutHash)
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
