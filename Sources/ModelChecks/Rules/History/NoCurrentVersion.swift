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
      "\(history.bundle.name) has \(history.bundle.versions.count) versions but does not name its current version",
      fix: fix(history, newest.name, isMissed: !isThere || wasNamed), at: history.currentVersionLocation)
    if isThere, !wasNamed { finding.severity = .note }
    return [finding]
  }

  private static func fix(_ history: BundleHistory, _ newest: String, isMissed: Bool) -> Advice {
    let version = history.baseCurrentVersionName ?? newest
    let choosing: Advice = "choose \(version): \(run: history.making(current: version))"
    guard isMissed else { return "if your app does not load its versions by name, \(choosing)" }
    guard GitAdvice.canRun(at: history.bundle.path) else { return choosing }
    let restoring = ["checkout", "HEAD", "--", ".xccurrentversion"]
    return """
      restore .xccurrentversion: \(run: ["git", "-C", ShellWord.argument(history.bundle.path)] + restoring); or, if git \
      does not have it, \(choosing)
      """
  }
}
