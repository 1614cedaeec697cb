import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import StoreMigration

extension Rule {
  static let unreachableVersion = Rule(
    id: "unreachable-version",
    severity: .error,
    purpose: "Every older version must have a path to the current version.",
    explanation: """
      Your users update from every version you ever shipped. If a version does not have a path to the current version, \
      your app can no longer open its stores. modelctl tries every older version, with inference through the versions \
      in between and with the mapping models here. Write a mapping model for the step that breaks, or make the change \
      in two versions that modelctl can infer. If only your app can prove a path, for example with a policy class, the \
      last line of `check` counts the version.
      """
  ) { history in
    guard let current = history.current else { return [] }
    let lost = history.matrix.verdicts(to: current)
      .filter {
        $0.kind == .impossible && !history.isRetired($0.source.name)
          && history.isOlder($0.source.name, than: current.name)
      }
      .filter { !history.isReachedMerged(from: $0.source) }
    return Dictionary(grouping: lost) { verdict in
      [verdict.refusal?.source.name ?? verdict.source.name, verdict.refusal?.destination.name ?? current.name]
    }.values.flatMap { verdicts -> [RuleFinding] in
      guard let first = verdicts.first, !history.isBrokenByDrift(first) else { return [] }
      return findings(history, verdicts, first: first, current)
    }
  }

  /// One error for each element that breaks a step, so that you can correct all elements together.
  private static func findings(
    _ history: BundleHistory, _ verdicts: [MigrationVerdict], first: MigrationVerdict, _ current: LoadedVersion
  ) -> [RuleFinding] {
    let source = first.refusal?.source ?? first.source
    let destination = first.refusal?.destination ?? first.destination
    let version = history.versions.first { $0.name == destination.name } ?? current
    let failures = history.matrix.inferenceRefusals(from: source, to: destination)
    var seen: Set<ModelElement> = []
    let causes = failures.map { (failure: Optional($0), element: version.hierarchy.declaration(of: $0.element)) }
      .filter { seen.insert($0.element).inserted }
    return (causes.isEmpty ? [(nil, .model)] : causes).map { failure, element in
      finding(history, verdicts, from: source, to: destination, failure, at: element, of: version, current)
    }
  }

  private static func finding(
    _ history: BundleHistory, _ verdicts: [MigrationVerdict], from source: LoadedVersion, to destination: LoadedVersion,
    _ failure: InferenceRefusal?, at element: ModelElement, of version: LoadedVersion, _ current: LoadedVersion
  ) -> RuleFinding {
    let lost = VersionList(verdicts.map(\.source.name)).text
    let step = "\(source.name) → \(destination.name)"
    let isWhole =
      verdicts.count == 1 && source.name == verdicts[0].source.name && destination.name == current.name
    let reason = (failure?.words ?? verdicts[0].refusal?.words)?.cause ?? "there is no path"
    return RuleFinding(
      element,
      "\(current.name) cannot be reached from \(lost): \(isWhole ? "" : "\(step) fails: ")\(reason)",
      fix: failure == nil
        ? """
        check the mapping models from \(source.name) to \(destination.name): \(run: "modelctl", "mapping", "check")
        """ : history.mappingAdvice(from: source.name, to: destination.name, "undo the change, or"),
      at: version.location(of: element))
  }
}

extension BundleHistory {
  /// True if every union of the bundle has a path from a version, so that each of its stores can be migrated.
  func isReachedMerged(from version: LoadedVersion) -> Bool {
    !unions.isEmpty && unions.allSatisfy { $0.isReached(from: version) }
  }

  /// True if a mapping model between the versions of the broken step has drifted; that finding names the cause.
  fileprivate func isBrokenByDrift(_ verdict: MigrationVerdict) -> Bool {
    inspectedMappings.contains { mapping in
      mapping.findings.contains { $0.rule == MappingRule.drift.rawValue }
        && mapping.source == verdict.refusal?.source.name && mapping.destination == verdict.refusal?.destination.name
    }
  }

  /// The advice to write a mapping model that the reader runs.
  func mappingAdvice(from source: String, to destination: String, _ lead: String) -> Advice {
    let writing = mappingCommand(from: source, to: destination)
    guard reader == .coreData else { return "\(lead) write a mapping model: \(run: writing)" }
    return "\(lead) write a mapping model for Xcode: \(run: writing); \(Self.settingAdvice)"
  }

  /// The advice if you intend a mapping file.
  static let settingAdvice: Advice =
    "or, if modelctl migrates the stores, set “migratedBy” to “modelctl” in .modelctl.json"

  /// The command that writes a mapping model between two versions; for Core Data, which does not read mapping files, it
  /// is a mapping model of Xcode.
  func mappingCommand(from source: String, to destination: String) -> [String] {
    ["modelctl", "mapping", "new", versionArgument(source), versionArgument(destination)]
      + ["--model", ShellWord.argument(bundle.path)]
      + (reader == .coreData ? ["--output", xcodeMappingPath(from: source, to: destination)] : [])
  }

  /// The name of a version as an argument that no command takes for the bundle.
  func versionArgument(_ name: String) -> String {
    let bundleName = BundlePath.stem(bundle.path)
    return name == bundleName ? "\(bundleName)@\(name)" : name
  }

  /// The path of a mapping model for Xcode, beside the bundle.
  func xcodeMappingPath(from source: String, to destination: String) -> String {
    let name = "\(source)-\(destination).xcmappingmodel".replacingOccurrences(of: "/", with: "-")
    let folder = BundlePath.parent(bundle.path)
    return ShellWord.argument(folder.isEmpty || folder == "." ? name : BundlePath.joined(folder, name))
  }
}

/// The names of versions in a sentence; a long list is shortened in the middle.
struct VersionList {
  /// Such as `v1, v2 and 12 more to v15`.
  let text: String

  init(_ names: [String]) {
    guard names.count > TextWidth.listed(4), let last = names.last else {
      text = names.joined(separator: ", ")
      return
    }
    text = "\(names[0]), \(names[1]) and \(names.count - 2) more to \(last)"
  }
}
