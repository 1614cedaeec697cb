import ModelDescription
import ModelFiles
import VersionHashing

extension Rule {
  static let unionClash = Rule(
    id: "union-clash",
    severity: .error,
    purpose: "The current versions of merged bundles must fit together.",
    explanation: """
      If your app merges the models of several bundles, two different entities with the same name raise an exception \
      at launch. Rename an entity, or make both equal. The rule checks the bundles under "unions" in .modelctl.json, \
      or the bundles that you give with `--model`.
      """,
    project: { project in project.unions.compactMap(clash) })

  private static func clash(_ union: CheckedUnion) -> RuleFinding? {
    guard let current = union.currentVersions else { return nil }
    do {
      _ = try LoadedVersion(merging: current)
      return nil
    } catch {
      return finding(error, among: current)
    }
  }

  private static func finding(_ error: UnionError, among current: [LoadedVersion]) -> RuleFinding {
    var elements: [ModelElement] = []
    if case .merge(let cause) = error.reason { elements = [cause.elements.first, cause.elements.second] }
    let places = error.versions.enumerated().map { position, version in
      let file = current.first { $0.bundle == version.bundle }?.file
      return elements.dropFirst(position).first.flatMap { file?.location(of: $0) }
    }
    let names = error.versions.map { "\($0.bundle) (\($0.name))" }
    let called = names.enumerated().map { position, name in
      position == 0 ? name : places[position].map { "\($0)" } ?? name
    }
    return RuleFinding(
      elements.first ?? .model, "the models cannot be merged: \(error.description(calling: called))",
      at: places.first ?? current.first.flatMap { $0.file.location(of: .model) })
  }
}
