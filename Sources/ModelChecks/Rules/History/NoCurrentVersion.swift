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
    let bundle = ShellWord(path: history.bundle.path).text
    var finding = RuleFinding(
      .model,
      "\(history.bundle.name) has \(history.bundle.versions.count) versions and does not say which is current",
      fix: isThere && !wasNamed
        ? "choose \(newest.name) as the current version in Xcode, unless the app loads its versions by their names"
        : """
        bring .xccurrentversion back: \(command: "git -C \(bundle) checkout HEAD -- .xccurrentversion"); when it is \
        gone there too, choose \(history.baseCurrentVersionName ?? newest.name) as the current version in Xcode
        """,
      at: history.currentVersionLocation)
    if isThere, !wasNamed { finding.severity = .note }
    return [finding]
  }
}
