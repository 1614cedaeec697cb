import ModelDescription
import ModelFiles
import StoreMigration

extension BundleHistory {
  /// Every mapping model of the bundle, inspected once for all rules.
  var inspectedMappings: [InspectedMapping] {
    mappingCache.value {
      guard !mappingReadings.isEmpty else { return [] }
      let merged = unions.flatMap(\.mappings).flatMap { [$0.source, $0.destination] }.filter { !$0.parts.isEmpty }
      let index = VersionIndex(versions + merged)
      return mappingReadings.concurrentMap { InspectedMapping($0, among: index, for: reader) }
    }
  }

  /// The location of the start of a mapping model.
  func start(ofMapping path: String) -> SourceLocation {
    inspectedMappings.first { $0.path == path }?.start ?? SourceLocation(file: path, line: 1, column: 1)
  }

  /// The location of an entity mapping in the file of a mapping model; the start of the file if it is not there.
  func start(ofMapping path: String, entityMapping name: String?) -> SourceLocation {
    switch try? mappingReadings.first(where: { $0.path == path })?.content.get() {
    case .document(let file)?: file.location(ofMapping: name, property: nil)
    case .xcode(let file, _)?: file.location(ofMapping: name, property: nil)
    default: start(ofMapping: path)
    }
  }

  /// The findings of a rule in the inspected mapping models.
  ///
  /// For a step between two released versions, only errors that break every path to the current version are reported.
  func mappingIssues(_ rule: MappingRule) -> [RuleFinding] {
    inspectedMappings.flatMap { mapping -> [RuleFinding] in
      let found = mapping.findings.filter { $0.rule == rule.rawValue }
      guard !found.isEmpty else { return [] }
      let isPast = isPast(mapping)
      return found.filter { !isPast || $0.severity == .error && breaksPaths(mapping) }.map { finding in
        var found = RuleFinding(finding.element, finding.message, fix: finding.fix, at: finding.location)
        found.severity = isOfUnusedDraft(mapping) || isPast && rule.dependsOnRows ? .note : finding.severity
        return found
      }
    }
  }

  /// True for a step between two released versions, whose findings cannot be acted on.
  func isPast(from source: String, to destination: String) -> Bool { !canChange(source) && !canChange(destination) }

  private func isOfUnusedDraft(_ mapping: InspectedMapping) -> Bool {
    [mapping.source, mapping.destination].contains { $0.map(isUnusedDraft) ?? false }
  }

  private func isPast(_ mapping: InspectedMapping) -> Bool {
    guard let source = mapping.source, let destination = mapping.destination else { return false }
    return isPast(from: source, to: destination)
  }

  /// True if every path to the current version needs a mapping model, as Core Data chooses paths.
  private func breaksPaths(_ mapping: InspectedMapping) -> Bool {
    guard let current,
      let verdict = matrix.verdicts(to: current).first(where: { $0.source.name == mapping.source })
    else { return false }
    if mapping.findings.contains(where: { $0.rule == MappingRule.drift.rawValue }) { return !verdict.isReachable }
    return verdict.steps.contains { $0.mappingPath == mapping.path }
      && (mapping.destination == current.name || !verdict.isInferable)
  }
}
