public import ModelChecks
import ModelDescription
import ModelFiles
public import Reports

/// The result of the setup of a project.
public struct SetupReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// Whether this is a dry run that wrote no files.
  public let isDryRun: Bool
  /// Whether the setup was already complete.
  public let isComplete: Bool
  /// The bundles with their versions.
  public let bundles: [Bundle]
  /// The new records of the lock files.
  public let records: [LockReport.Record]
  /// The files besides the lock files.
  public let files: [File]
  /// The keys of git's configuration.
  public let settings: [Setting]
  /// The notes for the user.
  public let notes: [String]
  /// The steps left to the user, a sentence or command each.
  public let next: [String]
  /// The result of `check`; nil in a dry run.
  public var check: Check?

  private enum CodingKeys: CodingKey {
    case version, isDryRun, isComplete, bundles, records, files, settings, notes, next, check
  }

  /// A bundle.
  public struct Bundle: Encodable, Hashable, Sendable {
    /// Its path.
    public let path: String
    /// The names of its versions, oldest first.
    public let versions: [String]
    /// The versions that are recorded as released, so that a change of them is an error.
    public let guarded: [String]
  }

  /// A file.
  public struct File: Encodable, Hashable, Sendable {
    /// Its path.
    public let path: String
    /// The state of the file.
    public let state: SetupFile.State
    /// The content that it has or gets.
    public let content: String
    fileprivate let previous: String?

    private enum CodingKeys: CodingKey {
      case path, state, content
    }
  }

  /// A key of git's configuration.
  public struct Setting: Encodable, Hashable, Sendable {
    /// The key.
    public let key: String
    /// The value that it gets or has.
    public let value: String
    /// The state of the setting.
    public let state: SetupFile.State
  }

  /// The numbers of findings of `check`.
  public struct Check: Encodable, Hashable, Sendable {
    /// The number of errors.
    public let errors: Int
    /// The number of warnings.
    public let warnings: Int
    /// The number of notes.
    public let notes: Int
    /// The number of released versions whose path is not proved.
    public let unprovedPaths: Int

    /// Counts findings.
    public init(_ findings: [Finding], unproved: [UnprovedVersions]) {
      func count(_ severity: Finding.Severity) -> Int { findings.count { $0.severity == severity } }
      (errors, warnings, notes) = (count(.error), count(.warning), count(.note))
      unprovedPaths = unproved.reduce(0) { $0 + $1.paths.count }
    }
  }

  /// Creates a report of a setup.
  public init(_ setup: ProjectSetup, isDryRun: Bool) {
    self.isDryRun = isDryRun
    isComplete = setup.isComplete
    bundles = setup.bundles.map { bundle in
      Bundle(path: bundle.path, versions: bundle.versions.map(\.name), guarded: setup.releasedVersions(of: bundle))
    }
    records = LockReport(setup.records).records
    files = setup.files.map { File(path: $0.path, state: $0.state, content: $0.content, previous: $0.previous) }
    settings = setup.settings.map { Setting(key: $0.key, value: $0.value, state: $0.state) }
    notes = setup.notes
    let made =
      (setup.records.map(\.file) + setup.files.filter { [.new, .changed].contains($0.state) }.map(\.path)
      + [setup.export].compactMap { $0 })
      .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let commit =
      made.isEmpty || setup.isComplete
      ? []
      : ["commit the files: git add \(made.map { ShellWord(path: $0).text }.joined(separator: " "))"]
    next = setup.files.compactMap(\.advice) + commit
  }

  /// The planned changes, one paragraph each: the versions to record, and each new file with its lines.
  public var preview: String {
    let records = LockReport.Record.runs(records).map { run in
      let record = run[0]
      let isDraft = record.state == .draft
      guard run.count == 1 else { return "\(LockReport.Record.lead(of: run)) are \(isDraft ? "drafts" : "released")" }
      let state = isDraft ? "a draft" : "released"
      return "\(record.file): \(record.version) is \(state)\(record.losses)\(record.blockers)"
    }
    let new = files.filter { [.new, .changed].contains($0.state) }.map { file in
      let known = Set((file.previous ?? "").split(separator: "\n"))
      let lines = file.content.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .filter { !known.contains($0) }
      return (["\(file.path):"] + lines.map { $0.isEmpty ? "  +" : "  + \($0)" }).joined(separator: "\n")
    }
    let keys = settings.filter { $0.state == .new }
      .map { "git config \($0.key) \(ShellWord($0.value).text)" }
    let others =
      files.filter { $0.state == .present }.map { "\($0.path): already exists and is kept" }
      + settings.filter { $0.state != .new }.map { "git config \($0.key): already set and kept" }
    let blocks = [records.joined(separator: "\n")] + new + [(keys + others).joined(separator: "\n")]
    return blocks.filter { !$0.isEmpty }.map { $0 + "\n\n" }.joined()
  }

  /// The changes made, the steps left to the user, and the guarded versions.
  public var text: String {
    var lines: [String] = []
    if isComplete { lines.append("nothing to set up: all files and settings exist") }
    if isDryRun, !isComplete { lines.append("dry run: nothing was written") }
    lines += notes.flatMap { WrappedText.lines("note: \($0)", lead: "", indent: "  ") }
    if !isDryRun {
      let guarded = bundles.map { "  \($0.path): \($0.guarded.isEmpty ? "no version" : NameList.text($0.guarded))" }
      lines += ["guarded from now on:"] + guarded
    }
    if !next.isEmpty { lines += ["next:"] + next.map { "  \($0)" } }
    return lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n")
  }
}
