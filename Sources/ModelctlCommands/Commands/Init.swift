import ArgumentParser
import ModelKit

/// Sets up a project so that its models are guarded.
struct Init: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Set up a project: lock files, CI and a first check.",
    usage: "modelctl init [--github] [--gitlab] [--pre-commit] [--git] [<options>]",
    discussion: """
      EXAMPLES
        modelctl init                 ask for the choices on a terminal
        modelctl init --github --git
        modelctl init --gitlab --modelctl-url https://git.example.com/app/modelctl
        modelctl init --github --dry-run
        modelctl init --migrated-by modelctl    for a server or a tool

      If no lock file exists, init records the versions of every bundle as released.
      It then writes the files that you choose, and checks the models. It shows each
      file first and never replaces a file. If .modelctl.json lacks the key
      "migratedBy", init adds it. A second run changes nothing.
      After each release of your app, run modelctl lock: init records no version
      that you add later. Exits with 1 if the check finds errors or warnings.
      """)

  @OptionGroup(title: "Setup options") var setup: SetupOptions

  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Show the files and write nothing.")
  var dryRun = false

  @Flag(help: "Do not ask on a terminal.")
  var yes = false

  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func run() throws {
    let questions = asks ? SetupQuestions() : nil
    var request = try setup.request()
    if let questions {
      request.services = try questions.services(request)
      if request.migratedBy == nil { request.migratedBy = try questions.reader(in: request.folder) }
      if request.cloudKitExport == nil { request.cloudKitExport = try questions.export(in: request.folder) }
    }
    let planned = try ProjectSetup.plan(request)
    var report = SetupReport(planned, isDryRun: dryRun)
    if printsText { try Console.standardOutput(PrintableText.escaped(report.preview), .setup) }
    if !dryRun, !planned.isComplete {
      guard questions?.confirms() ?? true else { return Console.standardError("modelctl wrote nothing\n") }
      try planned.write()
    }
    guard !dryRun else { return try output.write(text: report.text, document: report, coloring: .setup) }
    let (findings, unproved) = try check()
    report.check = SetupReport.Check(findings, unproved: unproved)
    try output.write(text: report.text, document: report, coloring: .setup)
    if findings.contains(where: \.severity.isFailure) { throw CommandExit.findings }
  }

  /// True if a user can answer questions and gave no options.
  private var asks: Bool {
    setup.services.isEmpty && setup.export == nil && !yes && !dryRun && output.format.isEmpty && Terminal.isAnswered
  }

  private var printsText: Bool { output.format.allSatisfy { $0.file != nil || $0.form == .text } }

  /// Runs `check` without options, and prints its findings.
  private func check() throws -> (findings: [Finding], unproved: [UnprovedVersions]) {
    // The new files may have changed the configuration and the findings.
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
