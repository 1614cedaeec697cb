import ModelDescription
import ModelFiles

extension Rule {
  static let bundleMoved = Rule(
    id: "bundle-moved",
    severity: .note,
    purpose: "If a bundle moved, check its name in your code and its lock file.",
    explanation: """
      modelctl compares the bundle with the versions it had at its earlier path. Move its lock file and mapping files \
      along; a lock file left behind is a warning. If the bundle has a new name, change the name in the code that \
      loads the model.
      """,
    project: { project in
      project.deletedBundles.compactMap { gone in
        guard let path = gone.movedTo else { return nil }
        guard let lock = gone.lockLocation else {
          return RuleFinding(
            .model, "the bundle was at \(gone.path) before (\(gone.base)), so it is compared with that bundle",
            at: SourceLocation(file: path, line: 1, column: 1))
        }
        let paths = [lock.file, LockFile.path(besideBundleAt: path)].map { ShellWord.argument($0) }
        let moving = (GitAdvice.canRun(at: lock.file) ? ["git", "mv"] : ["mv"]) + paths
        var finding = RuleFinding(
          .model, "the bundle moved from \(gone.path) to \(path) without its lock file",
          fix: "move the lock file: \(run: moving)", at: lock)
        finding.severity = .warning
        return finding
      }
    })
}
