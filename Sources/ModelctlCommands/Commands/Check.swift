import ArgumentParser
import ModelKit

/// Checks models against the rules.
struct Check: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the models here against the rules.",
    usage: "modelctl check [<model> ...] [--base <revision or folder>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl check                     every version of every bundle here
        modelctl check --base origin/main  held against the main branch too
        modelctl check --against Old.app/Orders.momd
        modelctl check --require-lock      in CI: fail without a lock file
        modelctl check --release           of a tag: fail unless lock was run
        modelctl check App/Model.xcdatamodeld --format json=findings.json
        modelctl check --format github --format sarif=modelctl.sarif
        modelctl check --rule data-loss    of all rules only this one
        modelctl check --explain data-loss

      What users have is told by the lock file beside a bundle, which
      modelctl lock writes, and by what --base and --against name. A version,
      or a path in a bundle, stands for the bundle with all its versions.
      Without any of these every version counts as released.
      Exits with 1 when an error or a warning was found.
      """)

  @Argument(help: ArgumentHelp("Models, or folders with bundles; the whole project otherwise.", valueName: "model"))
  var paths: [String] = []

  @Flag(name: .long, help: "Fail when a bundle has no lock file, for CI.")
  var requireLock = false

  @Flag(name: .long, help: "Fail unless the current versions are recorded as released, for CI of a release.")
  var release = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var history: HistoryOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var plainness: PlainOption
  @OptionGroup var output: FindingOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    if try rules.answer(output) { return }
    let (chosen, configuration) = (try rules.chosen(), try rules.configuration())
    let project = try models.workspace.checkedProject(
      of: paths, base: history.base, against: history.against, configuration: configuration)
    let run = CheckRun(
      project, rules: chosen, configuration: configuration, requiresLock: requireLock, isRelease: release)
    let errors = project.errors + run.suppressionErrors()
    for error in errors { Console.standardError(ErrorMessage.text(error)) }
    for note in project.notes { Console.note(note) }
    for note in project.files.flatMap(\.notes) { Console.note("\(note)") }
    let findings = run.findings()
    if errors.isEmpty || !project.files.isEmpty || !project.goneBundles.isEmpty {
      try output.write(
        findings, rules: run.rules.map(RuleDescription.init), failures: errors,
        isPlain: plainness.plain)
    }
    guard errors.isEmpty else { throw CommandExit.failure }
    if let words = unguarded(of: run) { Console.standardError("\(words)\n") }
    let summary = CheckSummary(
      findings, versionCount: project.files.count, ruleCount: run.rules.count, unreleased: project.unreleased)
    Console.standardError("\(summary.text)\n")
    if findings.contains(where: \.severity.isFailure) { throw CommandExit.findings }
  }

  /// The closing line where nothing says which versions of a bundle users have, with the command that changes it.
  private func unguarded(of run: CheckRun) -> String? {
    let names = run.unguarded.map(\.name)
    guard !names.isEmpty else { return nil }
    let isAll = run.project.bundles.compactMap(\.history).allSatisfy { !$0.isGuarded }
    let subject = isAll ? "nothing is" : names.count == 1 ? "\(names[0]) is" : "\(names.count) bundles are"
    let command = (["modelctl lock --all"] + paths.map { ShellWord(path: $0).text }).joined(separator: " ")
    return "\(subject)\(isAll ? "" : " not") guarded yet: \(command)"
  }
}
