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
      not copied. Bring it back, or choose the current version in Xcode's file inspector.
      """
  ) { history in
    guard history.bundle.form == .versioned, history.bundle.currentVersionName == nil,
      let newest = history.bundle.versions.last
    else { return [] }
    let path = ShellPath.quoted("\(history.bundle.path)/.xccurrentversion")
    return [
      RuleIssue(
        .model,
        "\(history.bundle.name) has \(history.bundle.versions.count) versions and does not say which is current",
        fix: """
          bring .xccurrentversion back: git checkout HEAD -- \(path); when it is gone there too, choose \
          \(history.baseCurrentVersionName ?? newest.name) as the current version in Xcode
          """,
        at: history.currentVersionLocation)
    ]
  }
}
