extension DifferenceReport {
  /// What changed as a document to read: a part a change, then what has no effect, then the hints.
  public var outline: Outline {
    let lead = "from \(from) to \(to)"
    guard !changes.isEmpty else { return Outline("\(lead): no change") }
    var outline = Outline("\(lead): \(Quantity.text(changes.count, "change"))")
    if isSameVersion { outline.facts.append("the same version, so no store migrates") }
    outline.facts += entitiesWithNewHash.map { "\($0) has a new hash" }
    outline.facts += entitiesWithoutHash.map { "the hash of \($0) goes" }
    if let refusal {
      outline.facts.append(SpokenText.of("Core Data infers no migration: \(refusal)"))
    } else if !isSameVersion {
      outline.facts.append("Core Data infers the migration")
    }
    outline.parts = changes.filter { !$0.isWithoutEffect }.map(\.outline)
    let idle = changes.filter(\.isWithoutEffect).map { "\($0.element): \($0.spokenSentence)" }
    if !idle.isEmpty { outline.parts.append(Outline("without effect on hash and rows", facts: idle)) }
    if !hints.isEmpty { outline.parts.append(Outline("hints", facts: hints.map(SpokenText.of))) }
    return outline
  }

  /// The document on lines that read well aloud.
  public var plainText: String { outline.text }
}

extension DifferenceReport.Entry {
  fileprivate var outline: Outline {
    Outline(
      "\(element): \(spokenSentence)",
      facts: [changesHash ? "changes the hash" : "leaves the hash", spokenInference]
        + [SpokenText.of("rows: \(dataEffect)")])
  }

  /// The change in one sentence without arrows, and without names that only programs have.
  var spokenSentence: String {
    guard let aspect, let old, let new else { return SpokenText.of(sentence) }
    let words = SpokenText.words(inName: aspect)
    let isPlural = aspect.hasSuffix("s") && !aspect.hasSuffix("ss")
    let change = "\(words) \(isPlural ? "change" : "changes") from \(old) to \(new)"
    return SpokenText.of(kind == "changed" ? change : "\(words) follows the rename of \(old) to \(new)")
  }

  private var spokenInference: String {
    switch (inferability, condition) {
    case ("not-inferable", let reason?): SpokenText.of("not inferable: \(reason)")
    case ("depends-on-rows", let condition?): SpokenText.of("inferable if \(condition)")
    case ("no-migration", _): "no migration happens"
    default: "inferable"
    }
  }
}
