import ModelDescription
import ModelFiles

extension Rule {
  static let noCurrentVersion = Rule(
    id: "no-current-version",
    severity: .error,
    purpose: "A bundle with several versions must name its current version.",
    explanation: """
      Xcode compiles the version that .xccurrentversion names into your app as the current version. Without this file \
      your app does not have a model for its stores, or Xcode picks a version. You can lose the file in a merge, or if \
      you copy the bundle without hidden files. Restore it, or choose the current version in Xcode's file inspector. \
      If Xcode wrote the file without a version name, the finding is a note: an app that loads versions by name does \
      not need it.
      """
  ) { history in
    guard history.bundle.form == .versioned, history.bundle.currentVersionName == nil,
      let newest = history.bundle.versions.last
    else { return [] }
    let file = "\(history.bundle.path)/.xccurrentversion"
    let wasNamed = history.baseCurrentVersionName != nil
    let isThere = history.currentVersionLocation?.file == file
    var finding = RuleFinding(
      .model,
      "\(history.bundle.name) has \(history.bundle.versions.count) versions and does not say which is current",
      fix: fix(history, newest.name, isMissed: !isThere || wasNamed), at: history.currentVersionLocation)
    if isThere, !wasNamed { finding.severity = .note }
    return [finding]
  }

  private static func fix(_ history: BundleHistory, _ newest: String, isMissed: Bool) -> Advice {
    let version = history.baseCurrentVersionName ?? newest
    let choosing: Advice = "choose \(version): \(command: history.making(current: version))"
    guard isMissed else { return "\(choosing), unless the app loads its versions by their names" }
    guard GitAdvice.canRun(at: history.bundle.path) else { return choosing }
    let bundle = ShellWord(path: history.bundle.path).text
    return """
      bring .xccurrentversion back: \(command: "git -C \(bundle) checkout HEAD -- .xccurrentversion"); if it is gone \
      there too, \(choosing)
      """
  }
}
