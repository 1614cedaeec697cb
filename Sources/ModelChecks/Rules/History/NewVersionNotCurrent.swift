import ModelDescription
import ModelFiles

extension Rule {
  static let newVersionNotCurrent = Rule(
    id: "new-version-not-current",
    severity: .warning,
    purpose: "Make a new version the current version.",
    explanation: """
      Your app uses the version that .xccurrentversion names. If you do not make a new version current, your app loads \
      a model that differs from its generated code. You notice this only when the app runs. Make the version current \
      in the change that adds it.
      """
  ) { history in
    let versions = history.bundle.versions
    guard !history.released.isEmpty, let current = history.bundle.currentVersionName, let newest = versions.last,
      newest.name != current, history.bundle.sequence.isOrdered(current, before: newest.name) == true,
      !history.isReleased(newest.name),
      history.bundle.version(named: current) != nil, !history.isUnusedDraft(newest.name)
    else { return [] }
    return [
      RuleFinding(
        .model, "\(newest.name) is new, but \(current) is current, so your app does not use \(newest.name)",
        fix: "make it current: \(run: history.making(current: newest.name)); or delete it",
        at: history.currentVersionLocation)
    ]
  }
}
