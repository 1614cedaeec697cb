import ModelDescription
import ModelFiles
import StoreMigration
import VersionHashing

extension Rule {
  static let mappingWithoutPath = Rule(
    id: "mapping-without-path",
    severity: .warning,
    purpose: "Every mapping model must be on a path to the current version.",
    explanation: """
      modelctl never uses a mapping model if its versions do not exist here, or if no path to the current version \
      passes it. Perhaps you renamed a version, a second mapping model bypasses it, or it points away from the current \
      version. Correct the names of its versions. Delete it only if users do not have stores of its source version.
      """
  ) { (history: BundleHistory) in
    let goals = [history.current, history.versions.last].compactMap { $0 }
    let verdicts = goals.flatMap { history.matrix.verdicts(to: $0) }
    let used = Set(verdicts.flatMap(\.steps).compactMap(\.mappingPath))
    let unused = history.mappings.filter { mapping in
      history.current != nil && !history.isPast(from: mapping.source.name, to: mapping.destination.name)
        && !used.contains(mapping.path)
        && !history.mappings.contains { used.contains($0.path) && $0.leadsLike(mapping) }
        && !verdicts.contains { $0.refusal?.source.name == mapping.source.name }
    }
    return history.mappingIssues(.withoutPath)
      + unused.map { mapping in
        var finding = RuleFinding(
          .model,
          "this mapping model from \(mapping.source.name) to \(mapping.destination.name) is not on a path to "
            + (history.current?.name ?? "the current version"),
          fix: history.canChange(mapping.source.name)
            ? "delete it if you do not need it; to see the paths: \(run: "modelctl", "matrix")"
            : "keep it if users may have \(mapping.source.name); to see the paths: \(run: "modelctl", "matrix")",
          at: history.start(ofMapping: mapping.path))
        let isKept = !history.canChange(mapping.source.name)
        if isKept || [mapping.source.name, mapping.destination.name].contains(where: history.isUnusedDraft) {
          finding.severity = .note
        }
        return finding
      }
  }
}

extension KnownMapping {
  /// True for a mapping model between the same two versions.
  fileprivate func leadsLike(_ other: KnownMapping) -> Bool {
    source.versionHashes == other.source.versionHashes && destination.versionHashes == other.destination.versionHashes
  }
}
