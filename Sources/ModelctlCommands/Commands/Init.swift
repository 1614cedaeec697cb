import ArgumentParser
import ModelKit

/// Sets a project up so that its models are guarded.
struct Init: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Guard the models of this project: record, check, CI.",
    usage: "modelctl init [--github] [--gitlab] [--pre-commit] [--git] [<options>]",
    discussion: """
      EXAMPLES
        modelctl init                 on a terminal it asks for the rest
        modelctl init --github --git
        modelctl init --gitlab --source https://git.example.com/app/modelctl
        modelctl init --github --dry-run
        modelctl init --migrated-by modelctl    of a server or a tool

      Records the versions of every bundle here in lock files if there is none
      yet, writes what is asked for, and checks the models. Each file is shown
      before it is written, and none that is there is replaced; .modelctl.json
      gets the key migratedBy if it lacks it. A second run does nothing: a new
      version is recorded by modelctl lock alone.
      Exits with 1 when the check found an error or a warning.
      """)

  @OptionGroup var setup: SetupOptions

  @Flag(name: .customLong("dry-run"), help: "Show what would be written, and write nothing.")
  var dryRun = false

  @Flag(help: "Ask nothing on a terminal.")
  var yes = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    let questions = asks ? SetupQuestions() : nil
    var request = try setup.request()
    if let questions {
      request.services = try questions.services(request)
      if request.migratedBy == nil { request.migratedBy = try questions.reader(in: request.folder) }
    }
    let planned = try ProjectSetup.plan(request)
    var report = SetupReport(planned, isDryRun: dryRun)
    if printsText { try Console.standardOutput(PrintableText.escaped(report.preview), .setup) }
    if !dryRun, !planned.isComplete {
      guard questions?.confirms() ?? true else { return Console.standardError("nothing was written\n") }
      try planned.write()
    }
    guard !dryRun else { return try output.write(text: report.text, document: report, coloring: .setup) }
    let (findings, unproved) = try check()
    report.check = SetupReport.Check(findings, unproved: unproved)
    try output.write(text: report.text, document: report, coloring: .setup)
    if findings.contains(where: \.severity.isFailure) { throw CommandExit.findings }
  }

  /// True where somebody can answer and nothing was said by options.
  private var asks: Bool { setup.services.isEmpty && !yes && !dryRun && output.format.isEmpty && Terminal.isAnswered }

  private var printsText: Bool { output.format.allSatisfy { $0.file != nil || $0.form == .text } }

  /// Runs `check` as it runs without options, and prints what it finds.
  private func check() throws -> (findings: [Finding], unproved: [UnprovedVersions]) {
    // What was written may have changed the configuration and what is found.
    let workspace = Workspace()
    let project = try workspace.checkedProject()
    for error in project.errors { Console.standardError(ErrorMessage.text(error)) }
    let run = CheckRun(project, configuration: try workspace.project.configuration())
    let findings = run.findings()
    let lines = SourceLocation.sourceLines(at: findings.compactMap(\.location))
    if printsText {
      let text = FindingReport(findings, sourceLines: lines).text
      try Console.standardOutput(PrintableText.escaped(text), .findings)
    }
    let unproved = project.unproved
    let summary = CheckSummary(
      findings, versionCount: project.files.count, ruleCount: run.rules.count, unreleased: project.unreleased,
      unproved: unproved)
    Console.standardError("\(summary.text)\n")
    guard project.errors.isEmpty else { throw CommandExit.failure }
    return (findings, unproved)
  }
}
