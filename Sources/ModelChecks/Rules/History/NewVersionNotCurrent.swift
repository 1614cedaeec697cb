import ModelDescription
import ModelFiles

extension Rule {
  static let newVersionNotCurrent = Rule(
    id: "new-version-not-current",
    severity: .warning,
    purpose: "A new version is made current.",
    explanation: """
      The app works with the version that .xccurrentversion names. A new version that is not made current changes \
      nothing: the code that was generated from it and the model that is loaded differ, which shows only when the app \
      runs. Make it current in the same change that adds it.
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
        .model, "\(newest.name) is new, but \(current) is current, so that the app does not use it",
        fix: "make it current: \(command: history.making(current: newest.name)), or delete it",
        at: history.currentVersionLocation)
    ]
  }
}
