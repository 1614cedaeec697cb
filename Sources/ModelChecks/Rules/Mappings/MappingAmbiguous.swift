import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

extension Rule {
  static let mappingAmbiguous = Rule(
    id: "mapping-ambiguous",
    severity: .error,
    purpose: "One mapping model leads from one version to another, not several that say different things.",
    explanation: """
      Core Data takes the first mapping model it finds for a pair of versions, and which that is changes from build to \
      build. modelctl refuses the migration. Keep one of them; where both are needed, name the one to use with \
      --mapping, and move the other out of the project.
      """
  ) { (history: BundleHistory) in
    let pairs = Dictionary(grouping: history.mappings) {
      [$0.source.versionHashes, $0.destination.versionHashes] as [VersionHashes]
    }
    return pairs.values.flatMap { mappings -> [RuleIssue] in
      let sorted = mappings.sorted { $0.path < $1.path }
      guard let first = sorted.first else { return [] }
      return sorted.dropFirst().filter { $0.model != first.model }.map { mapping in
        RuleIssue(
          .model,
          "this mapping model and \(first.path) both lead from \(mapping.source.name) to \(mapping.destination.name) "
            + "and say different things",
          fix: "compare them with: modelctl mapping show \(ShellWord(path: mapping.path).text); and keep one",
          at: history.start(ofMapping: mapping.path))
      }
    }
  }
}
