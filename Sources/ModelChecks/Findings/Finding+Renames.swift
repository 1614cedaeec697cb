import ModelDescription
import ModelFiles

extension [Finding] {
  /// The findings without those that follow from a likely rename: a rename by hand is one finding.
  ///
  /// What is lost of the old element, and what the new one lacks, is mended by the renaming identifier. A rename that
  /// fails no check hides nothing that does.
  func withoutConsequencesOfRenames() -> [Finding] {
    let renames = filter { $0.rule == Rule.likelyRename.id }
    guard !renames.isEmpty else { return self }
    let places = Set(renames.compactMap(\.place))
    let failing = Set(renames.filter(\.severity.isFailure).compactMap(\.place))
    let rules = [Rule.requiredWithoutDefault.id, Rule.unreachableVersion.id]
    return filter { finding in
      let cause = finding.cause ?? (rules.contains(finding.rule) ? finding.place : nil)
      return cause.map { !(finding.severity.isFailure ? failing : places).contains($0) } ?? true
    }
  }
}

extension Finding {
  fileprivate var place: ModelPlace? { location.map { ModelPlace(path: $0.file, element: element) } }
}
