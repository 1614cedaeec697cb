public import ModelDescription
public import ModelFiles

/// Findings without those that userInfo entries silence, and the entries that silence nothing.
struct SuppressedFindings {
  /// The findings that are left.
  let findings: [Finding]
  /// The entries that silence nothing, each with the rule.
  let unused: [(suppression: Suppression, rule: String)]

  /// Takes the silenced findings out.
  ///
  /// - Parameters:
  ///   - findings: what the rules found.
  ///   - suppressions: the entries of all models.
  ///   - rules: the ids of the rules that were applied, of which alone an entry can be unused.
  init(_ findings: [Finding], by suppressions: [Suppression], rules: Set<String>) {
    var entries: [Entry: Int] = [:]
    for (position, suppression) in suppressions.enumerated() {
      for rule in suppression.rules { entries[Entry(place: suppression.place, rule: rule)] = position }
    }
    var used: Set<Entry> = []
    self.findings = findings.filter { finding in
      let own = finding.location.map { [ModelPlace(path: $0.file, element: finding.element)] } ?? []
      let places = (own + finding.silencers).flatMap(\.withHolder)
      let hits = places.map { Entry(place: $0, rule: finding.rule) }.filter { entries[$0] != nil }
      used.formUnion(hits)
      return hits.isEmpty
    }
    unused = suppressions.flatMap { suppression in
      suppression.rules.filter { rules.contains($0) && !used.contains(Entry(place: suppression.place, rule: $0)) }
        .map { (suppression, $0) }
    }
  }

  /// What is silenced where.
  private struct Entry: Hashable {
    let place: ModelPlace
    let rule: String
  }
}

/// A suppression that names what is no rule.
public struct SuppressionError: Error, Hashable, Sendable {
  /// The rule that is not there.
  public let rule: UnknownRule
  /// The element that the entry belongs to.
  public let element: ModelElement
  /// Where the element stands.
  public let location: SourceLocation
}

extension SuppressionError: CustomStringConvertible {
  /// The place, the entry, and what to write instead.
  public var description: String {
    "\(location): the userInfo entry “\(Suppression.key)” of \(element): \(rule)"
  }
}
