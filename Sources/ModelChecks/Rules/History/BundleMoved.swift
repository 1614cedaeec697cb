import ModelDescription
import ModelFiles

extension Rule {
  static let bundleMoved = Rule(
    id: "bundle-moved",
    severity: .note,
    purpose: "A bundle that lies elsewhere than before is told.",
    explanation: """
      The versions of the bundle are held against those it had at its old place. The app loads it by its name, so a new \
      name needs a change of code, and its lock file and mapping files must move along. Nothing is to be done when they \
      did; a lock file that stayed behind is a warning.
      """,
    project: { project in
      project.goneBundles.compactMap { gone in
        guard let path = gone.movedTo else { return nil }
        guard let lock = gone.lockLocation else {
          return RuleFinding(
            .model, "the bundle was \(gone.path) before (\(gone.base)) and is held against that",
            at: SourceLocation(file: path, line: 1, column: 1))
        }
        let paths = [lock.file, LockFile.path(besideBundleAt: path)].map { ShellWord(path: $0).text }
        let moving = "\(GitAdvice.canRun(at: lock.file) ? "git mv" : "mv") \(paths.joined(separator: " "))"
        var finding = RuleFinding(
          .model, "the lock file stayed behind when the bundle moved from \(gone.path) to \(path)",
          fix: "\(command: moving)", at: lock)
        finding.severity = .warning
        return finding
      }
    })
}
