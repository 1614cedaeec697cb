import ModelDescription
import ModelFiles

extension Rule {
  static let missingLock = Rule(
    id: "missing-lock",
    severity: .note,
    purpose: "Record which versions users have.",
    explanation: """
      Without a lock file, a base or a compiled model, modelctl cannot detect that you edited a released version. You \
      notice only when users cannot open their stores. Until then, modelctl treats every version as released, and \
      reports only changes that break the path to the current version. `modelctl lock --all` records every version in \
      a lock file next to the bundle. Commit the lock file, and run `modelctl check --require-lock` in CI. If you do \
      not want a lock file, name a revision with `--base`.
      """,
    project: { project in
      let unguarded = project.bundles.compactMap(\.history).filter { !$0.isGuarded }
      guard let first = unguarded.first else { return [] }
      let path = unguarded.count == 1 ? [ShellWord.argument(first.bundle.path)] : []
      return [
        RuleFinding(
          .model,
          "no lock file records which versions of \(NameList.text(unguarded.map(\.bundle.name))) are released, so edits of "
            + "them go undetected",
          fix: "record them: \(run: ["modelctl", "lock", "--all"] + path)", at: first.currentVersionLocation)
      ]
    })
}

extension CheckedProject {
  /// One error about the bundles without a lock file, for a check that requires lock files.
  var missingLocks: [Finding] {
    let missing = bundles.compactMap(\.history).filter { $0.lock == nil }
    guard let first = missing.first else { return [] }
    let path = missing.count == 1 ? [ShellWord.argument(first.bundle.path)] : []
    return [
      Finding(
        rule: Rule.missingLock.id, severity: .error, element: .model, location: first.currentVersionLocation,
        message:
          "\(NameList.text(missing.map(\.bundle.name))) \(missing.count == 1 ? "does" : "do") not have a lock file, which "
          + "this check requires",
        fix: "record the versions: \(run: ["modelctl", "lock", "--all"] + path)")
    ]
  }
}
