import ModelComparison
import ModelDescription

extension DifferenceReport {
  /// What changed as a document to read: a part a change, then what has no effect, then the hints.
  public var outline: Outline {
    let lead = "from \(from) to \(to)"
    let others = omittedCount == 0 ? [] : ["\(Quantity.text(omittedCount, "change")) of what is not shown left out"]
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
    entitiesWithNewHash.map { "\($0) has a new hash" } + entitiesWithoutHash.map { "the hash of \($0) goes" }
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
  /// - Returns: the part.
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
  var consequences: [String] {
    [hashWords, inferenceWords, "rows: \(effect.words(in: .spoken))"]
  }
}
