import ModelDescription
import ModelFiles

extension Rule {
  static let noCurrentVersion = Rule(
    id: "no-current-version",
    severity: .error,
    purpose: "A bundle with several versions says which is current.",
    explanation: """
      Xcode compiles the version that .xccurrentversion names into the app as the current one. Without that file the app \
      has no model to open its stores with, or whichever Xcode picks. It gets lost in merges, and where hidden files are \
      not copied. Bring it back, or choose the current version in Xcode's file inspector. A file that is there and names \
      no version, as Xcode writes it, is a note: an app that loads its versions by their names needs none.
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
