import ArgumentParser
import ModelKit

/// Checks models against the rules.
struct Check: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the models here against the rules.",
    usage: "modelctl check [<model> ...] [--base <revision or folder>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl check                     every version of every bundle here
        modelctl check --base origin/main  held against the main branch too
        modelctl check --against Old.app/Orders.momd
        modelctl check App/Model.xcdatamodeld --format json=findings.json
        modelctl check --format github --format sarif=modelctl.sarif
        modelctl check --explain data-loss

      What users have is told by the lock file beside a bundle, which
      modelctl lock writes, and by what --base and --against name. A version,
      or a path in a bundle, stands for the bundle with all its versions.
      Exits with 1 when an error or a warning was found.
      """)

  @Argument(help: ArgumentHelp("Models, or folders with bundles; this folder otherwise.", valueName: "model"))
  var paths: [String] = []

  @OptionGroup var models: ModelOptions
  @OptionGroup var history: HistoryOptions
  @OptionGroup var rules: RuleOptions
  @OptionGroup var plainness: PlainOption
  @OptionGroup var output: FindingOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    if try rules.answer(output) { return }
    let configuration = try rules.configuration()
    let (files, project) = try checked(configuration)
    if project.files.isEmpty, files.errors.isEmpty, project.errors.isEmpty, let path = configuration.path {
      throw CommandError.everythingExcluded(configuration: path)
    }
    let run = CheckRun(project, configuration: configuration)
    let errors = files.errors + project.errors + run.suppressionErrors()
    for error in errors { Console.standardError(ErrorMessage.text(error)) }
    for note in project.files.flatMap(\.notes) { Console.note("\(note)") }
    let findings = run.findings()
    if errors.isEmpty || !project.files.isEmpty {
      try output.write(
        findings, rules: run.rules.map(RuleDescription.init), failures: errors,
        isPlain: plainness.plain)
    }
    guard errors.isEmpty else { throw CommandExit.failure }
    let checked =
      "\(Quantity.text(project.files.count, "version")) checked against \(Quantity.text(run.rules.count, "rule"))"
    let found = findings.isEmpty ? "no findings" : Quantity.text(findings.count, "finding")
    Console.standardError("\(checked): \(found)\n")
    if findings.contains(where: \.severity.isFailure) { throw CommandExit.findings }
  }
  /// What is checked; where there is no bundle, what became of those that were there.
  private func checked(_ configuration: CheckConfiguration) throws -> (files: ModelFiles, project: CheckedProject) {
    do {
      let files = try ModelFiles(paths, models)
      return (files, try history.project(paths: files.paths, models: files.models, configuration))
    } catch CommandError.noBundle(let folder) {
      let files = ModelFiles(under: folder)
      guard let project = try? history.project(paths: files.paths, models: [], configuration),
        !project.goneBundles.isEmpty
      else { throw CommandError.noBundle(folder: folder) }
      return (files, project)
    }
  }
}
