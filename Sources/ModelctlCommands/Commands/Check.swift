import ArgumentParser
import ModelKit

/// Checks models against the rules.
struct Check: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the models of the project against the rules.",
    usage: "modelctl check [<model> ...] [--base <revision or folder>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl check                     every version of every bundle
        modelctl check --base origin/main  compare with the main branch too
        modelctl check --against Old.app/Orders.momd
        modelctl check --require-lock      in CI: fail if a lock file is missing
        modelctl check --release           for a tag: fail if you forgot lock
        modelctl check App/Model.xcdatamodeld --format json=findings.json
        modelctl check --format github --format sarif=modelctl.sarif
        modelctl check --rule data-loss    check only this rule
        modelctl check --explain data-loss

      modelctl knows the released versions from the lock file beside the bundle
      (see modelctl help lock), from --base and from --against. Without these
      sources it treats every version as released. If you name a version or a file
      in a bundle, modelctl checks all versions of this bundle.
      The key "migratedBy" in .modelctl.json sets whether Core Data or modelctl
      migrates the stores. The last lines count the released versions without a
      proven path to the current version, with the causes.
      Exits with 1 if there are errors or warnings. Notes do not count.
      """)

  @Argument(
    help: ArgumentHelp("Models, or folders with bundles (default: all bundles of the project).", valueName: "model"))
  var paths: [String] = []

  @Flag(name: .long, help: "Fail if a bundle has no lock file, for CI.")
  var requireLock = false

  @Flag(name: .long, help: "Fail if a lock file does not record the current version as released, for CI of a release.")
  var release = false

  @Flag(name: .long, help: "List the git tags that count as releases, then the tags left out, and check nothing.")
  var listTags = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Release options") var history: HistoryOptions
  @OptionGroup(title: "Rule options") var rules: RuleOptions
  @OptionGroup(title: "Output options") var output: FindingOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func run() throws {
    if try rules.answer(output) { return }
    let (chosen, configuration) = (try rules.chosen(), try rules.configuration())
    if listTags { return try list(tagsOf: configuration) }
    let project = try models.workspace.checkedProject(
      of: paths, base: history.base, against: history.against, configuration: configuration)
    let run = CheckRun(
      project, rules: chosen, configuration: configuration, requiresLock: requireLock, isRelease: release)
    let errors = project.errors + run.suppressionErrors()
    for error in errors { Console.standardError(ErrorMessage.text(error)) }
    for note in project.notes { Console.note(note) }
    for note in project.files.flatMap(\.notes) { Console.note("\(note)") }
    let (findings, unproved) = (run.findings(), project.unproved)
    if errors.isEmpty || !project.files.isEmpty || !project.deletedBundles.isEmpty {
      try output.write(
        findings, rules: run.rules.map(RuleDescription.init), failures: errors, unproved: unproved,
        isPlain: style.isPlain)
    }
    guard errors.isEmpty else { throw CommandExit.failure }
    let failure = findings.first { $0.severity == .error } ?? findings.first(where: \.severity.isFailure)
    for words in [unguarded(of: run), project.acceptedBlockers?.text].compactMap({ $0 }) {
      Console.standardError("\(words)\n")
    }
    if let rule = failure?.rule { Console.standardError("why it matters: modelctl check --explain \(rule)\n") }
    let summary = CheckSummary(
      findings, versionCount: project.files.count, ruleCount: run.rules.count, unreleased: project.unreleased,
      unproved: unproved)
    Console.standardError("\(summary.text)\n")
    if findings.contains(where: \.severity.isFailure) { throw CommandExit.findings }
  }

  private func list(tagsOf configuration: CheckConfiguration) throws {
    guard let pattern = configuration.releasedTags else {
      return Console.standardError("no tag counts as a release, because the configuration has no “released”\n")
    }
    let search = try Project.here.search()
    let bundles = search.files(under: search.project.path).bundles
    let tags = try ReleaseTags.read(matching: pattern, of: paths.isEmpty ? bundles : paths)
    try Console.words(
      tags.names.map { "\($0)\n" }.joined()
        + tags.leftOut.map { "\($0): left out, because it is not an ancestor of HEAD\n" }.joined())
  }

  /// The last line for a bundle without a record of released versions, with the command that adds the record.
  private func unguarded(of run: CheckRun) -> String? {
    let names = run.unguarded.map(\.name)
    guard !names.isEmpty else { return nil }
    let isAll = run.project.bundles.compactMap(\.history).allSatisfy { !$0.isGuarded }
    let subject = isAll ? "nothing is" : names.count == 1 ? "\(names[0]) is" : "\(names.count) bundles are"
    let command = (["modelctl lock --all"] + paths.map { ShellWord(path: $0).text }).joined(separator: " ")
    return "\(subject)\(isAll ? "" : " not") guarded yet: \(command)"
  }
}

/// The rules of `check`, and the configuration of the project.
struct RuleOptions: ParsableArguments {
  @Option(
    name: .customLong("config-file"),
    help: ArgumentHelp(
      "Read this configuration file (default: the nearest .modelctl.json in this folder or above it in the repository).",
      valueName: "path"))
  var config: String?

  @Option(name: .long, help: ArgumentHelp("Check only this rule. You can repeat this option.", valueName: "rule"))
  var rule: [String] = []

  @Flag(name: .long, help: "Print every rule with its severity and its purpose.")
  var listRules = false

  @Option(
    name: .long, help: ArgumentHelp("Explain a rule: the reason, the fix, and how to ignore it.", valueName: "rule"))
  var explain: String?

  func validate() throws {
    if [listRules, explain != nil, !rule.isEmpty].filter(\.self).count > 1 {
      throw ValidationError("give only one of --rule, --list-rules and --explain")
    }
  }

  /// The rules to check, or all rules if no rule is given.
  func chosen() throws -> [Rule] { rule.isEmpty ? Rule.all : try rule.map(Self.named) }

  /// Reads the configuration, and turns on each given rule.
  ///
  /// - Throws: `JSONFileError` with the location of the error, and `ModelFileError` if the file cannot be read.
  func configuration() throws -> CheckConfiguration {
    var configuration = try config.map { try CheckConfiguration(contentsOf: $0) } ?? Project.here.configuration()
    for id in rule where configuration.levels[id] == .off { configuration.levels[id] = nil }
    return configuration
  }

  private static func named(_ id: String) throws -> Rule {
    guard let rule = Rule.named(id) else { throw UnknownRule(id) }
    return rule
  }

  /// Prints information about the rules.
  ///
  /// - Parameter output: the formats and their files.
  /// - Returns: false if the options do not ask for this information.
  func answer(_ output: FindingOptions) throws -> Bool {
    guard listRules || explain != nil else { return false }
    let configuration = try configuration()
    if let explain {
      let rule = try Self.named(explain)
      try write(
        RuleExplanation(rule, configuration: configuration).text, RuleListReport([rule], configuration: configuration),
        output)
    } else {
      let report = RuleListReport(configuration: configuration)
      try write(report.text, report, output)
    }
    return true
  }

  private func write(_ text: String, _ document: RuleListReport, _ output: FindingOptions) throws {
    try output.write { form in
      switch form {
      case .text: PrintableText.escaped(text)
      case .json: try JSONText.encode(document)
      default: throw ValidationError("modelctl prints rules as text or json, not as \(form.rawValue)")
      }
    }
  }
}

/// The sources to compare the models with.
struct HistoryOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Compare the bundles with the merge base of this git revision and HEAD, or with the bundles in a folder.",
      valueName: "revision or folder"))
  var base: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Compare the bundles with this compiled model (.momd) of a released app. You can repeat this option.",
      valueName: "path"))
  var against: [String] = []
}
