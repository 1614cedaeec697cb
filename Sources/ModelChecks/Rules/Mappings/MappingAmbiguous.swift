import MappingModels
import ModelDescription
import ModelFiles
import PersistentStores
import VersionHashing

extension Rule {
  static let mappingAmbiguous = Rule(
    id: "mapping-ambiguous",
    severity: .warning,
    purpose: "Two mapping models between the same versions must not differ.",
    explanation: """
      Core Data uses the first mapping model it finds for two versions, and this can change from build to build. Core \
      Data does not distinguish versions with equal hashes, so their mapping models count too. modelctl asks you to \
      choose a mapping model with `--mapping`. Keep a single mapping model, and move the rest out of your project. \
      Between released versions the finding is an error, unless the lock file or the base has all of them.
      """
  ) { (history: BundleHistory) in
    let pairs = Dictionary(grouping: history.mappings) {
      [$0.source.versionHashes, $0.destination.versionHashes] as [VersionHashes]
    }
    let ambiguous = pairs.values.filter { mappings in
      mappings.contains { !$0.model.makesTheSame(as: mappings[0].model) }
    }
    let recorded = ambiguous.isEmpty ? [] : history.recordedPaths
    return ambiguous.compactMap { mappings -> RuleFinding? in
      let first = mappings[0]
      let isPast = history.isPast(from: first.source.name, to: first.destination.name)
      if isPast, !history.recordsMappings || mappings.allSatisfy({ recorded.contains($0.path) }) { return nil }
      let paths = Set(mappings.map(\.path)).sorted()
      var finding =
        mixedForms(first, paths, in: history)
        ?? RuleFinding(
          .model,
          "\(paths.count) mapping models from \(first.source.name) to \(first.destination.name) differ, so it is not certain "
            + "which mapping model Core Data uses: \(NameList.text(paths))",
          fix: """
            keep a single mapping model; to compare them: \
            \(run: "modelctl", "mapping", "show", ShellWord.argument(paths[0]))
            """,
          at: history.start(ofMapping: paths[0]))
      if isPast { finding.severity = .error }
      if [first.source.name, first.destination.name].contains(where: history.isUnusedDraft) {
        finding.severity = .note
      }
      return finding
    }
  }

  /// The finding about a mapping file beside the mapping model that Core Data uses; nil for any other files.
  private static func mixedForms(_ first: KnownMapping, _ paths: [String], in history: BundleHistory) -> RuleFinding? {
    let files = paths.filter { MappingPath.form(of: $0) == .document }
    let others = paths.filter { MappingPath.form(of: $0) != .document }
    guard files.count == 1, others.count == 1 else { return nil }
    return RuleFinding(
      .model,
      "\(files[0]) maps \(first.source.name) to \(first.destination.name) differently than \(others[0]); Core Data "
        + "does not read mapping files, so it uses \(others[0])",
      fix: """
        remove the mapping file; to compare it with the mapping model: \
        \(run: "modelctl", "mapping", "show", ShellWord.argument(others[0]))
        """,
      at: history.start(ofMapping: files[0]))
  }
}

extension BundleHistory {
  /// True if the lock file or the base lists the earlier mapping models.
  fileprivate var recordsMappings: Bool { lock?.recordsSteps == true || base != nil }

  /// The paths of the mapping models that are unchanged since the lock file or the base.
  fileprivate var recordedPaths: Set<String> {
    let recorded = Set(recordedMappings.map(\.digest))
    return Set(digestsByPath.filter { recorded.contains($0.value) }.keys)
  }
}
