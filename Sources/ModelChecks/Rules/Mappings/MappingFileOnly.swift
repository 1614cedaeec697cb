import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

extension Rule {
  static let mappingFileOnly = Rule(
    id: "mapping-file-only",
    severity: .error,
    purpose: "Core Data must reach the current version without mapping files, because it does not read them.",
    explanation: """
      Core Data reads the mapping models that Xcode compiles into your app, but not the mapping files in Migrations. \
      If your app opens such a store, Core Data infers the mapping or fails. Make an equivalent mapping model in \
      Xcode. If modelctl migrates your stores, for example on a server, set "migratedBy" to "modelctl" in \
      .modelctl.json.
      """
  ) { (history: BundleHistory) in
    guard let current = history.current, history.reader == .coreData else { return [] }
    let older = history.matrix.verdicts(to: current)
      .filter { history.isOlder($0.source.name, than: current.name) }
    return history.findings(older, in: history.matrix, history.coreDataMatrix)
      + history.unions.flatMap { history.findings($0.verdicts, in: $0.matrix, $0.matrix.ofCoreData) }
  }
}

extension BundleHistory {
  /// One finding for each step that needs a mapping file, which Core Data does not read.
  fileprivate func findings(
    _ verdicts: [MigrationVerdict], in matrix: MigrationMatrix, _ coreData: MigrationMatrix
  ) -> [RuleFinding] {
    var found: [[String]: (step: MigrationVerdict.Step, names: [String])] = [:]
    for verdict in verdicts where coreData.verdict(from: verdict.source, to: verdict.destination)?.kind != .mapped {
      // For a version without a path, the steps before the broken step.
      let steps =
        verdict.refusal.flatMap { matrix.verdict(from: verdict.source, to: $0.source)?.steps } ?? verdict.steps
      for step in steps where step.isByFile {
        let key = [step.mappingPath ?? "", step.source.name, step.destination.name]
        found[key, default: (step, [])].names.append(verdict.source.name)
      }
    }
    return found.sorted { $0.key.lexicographicallyPrecedes($1.key) }.compactMap { _, step in
      finding(step.step, of: VersionList(step.names).text, coreData)
    }
  }

  private func finding(_ step: MigrationVerdict.Step, of versions: String, _ coreData: MigrationMatrix) -> RuleFinding?
  {
    guard let path = step.mappingPath else { return nil }
    let name = "\(step.source.name) → \(step.destination.name)"
    let failure = coreData.inferenceRefusals(from: step.source, to: step.destination).first
    let work = step.model.flatMap {
      MappingWork(of: $0, in: ModelStep(from: step.source.hierarchy, to: step.destination.hierarchy)).text
    }
    let consequence =
      failure.map { "cannot infer \(name), so stores of \(versions) do not open: \($0.words.cause)" }
      ?? "infers \(name) for stores of \(versions)" + (work.map { "; only the file \($0)" } ?? ", with the same result")
    var finding = RuleFinding(
      .model, "Core Data does not read this mapping file and \(consequence)",
      fix: "\(writing(step, path)); \(Self.settingAdvice)", at: start(ofMapping: path))
    if failure == nil, work == nil { finding.severity = .note }
    return finding
  }

  /// The advice to make a mapping model that Core Data reads; SQL and merged models cannot be written as one.
  private func writing(_ step: MigrationVerdict.Step, _ path: String) -> Advice {
    let hasSQL = step.model?.entityMappings.contains { mapping in
      mapping.attributeMappings.contains { if case .sql = $0.value { true } else { false } }
    }
    guard hasSQL == false, step.model?.policyReplacements.isEmpty == true, step.source.parts.isEmpty else {
      return "make an equivalent mapping model in Xcode"
    }
    let file = ShellWord.argument(path)
    let output = xcodeMappingPath(from: step.source.name, to: step.destination.name)
    let options = ["--model", ShellWord.argument(bundle.path), "--output", output]
    return """
      write it for Xcode: \(run: ["modelctl", "mapping", "convert", file] + options); then delete the mapping file: \
      \(run: "rm", file)
      """
  }
}
