extension TextColoring {
  /// Messages on standard error.
  package static let messages = TextColoring(
    rules: severities.map { Rule(part: .lead, piece: "\($0):", color: $1) } + [
      Rule(part: .word, piece: ": conflict: ", color: .error)
    ])

  /// What `check` found.
  package static let findings = TextColoring(
    rules: [Rule(part: .line, piece: "    ", color: .aside), Rule(part: .lead, piece: "fix:", color: .success)]
      + severities.map { Rule(part: .word, piece: ": \($0): ", color: $1) })

  /// What changed between two models.
  package static let difference = TextColoring(
    rules: [
      Rule(part: .line, piece: "  added", color: .added), Rule(part: .line, piece: "  removed", color: .removed),
      Rule(part: .word, piece: " not inferable", color: .error),
      Rule(part: .lead, piece: "hint:", color: .note),
      Rule(part: .lead, piece: "Core Data infers the migration", color: .success),
      Rule(part: .word, piece: " infers no migration:", color: .error),
      Rule(part: .word, piece: " → ", color: .changed), Rule(part: .line, piece: "new hashes: ", color: .aside),
      Rule(part: .line, piece: "hashes gone: ", color: .aside),
    ], hasHeadings: true)

  /// The SQL of a migration.
  package static let plan = TextColoring(rules: [
    Rule(part: .line, piece: "-- refused", color: .error), Rule(part: .line, piece: "-- loses: ", color: .warning),
    Rule(part: .line, piece: "--", color: .aside),
  ])

  /// What stores are and need.
  package static let status = TextColoring(
    rules: [
      Rule(part: .lead, piece: "current:", color: .success),
      Rule(part: .lead, piece: "needs migration", color: .warning),
      Rule(part: .lead, piece: "cannot be migrated", color: .error), Rule(part: .lead, piece: "note:", color: .note),
    ], hasHeadings: true)

  /// Whether stores are sound.
  package static let verification = TextColoring(
    rules: [
      Rule(part: .word, piece: ": sound with warnings", color: .warning),
      Rule(part: .word, piece: ": sound,", color: .success),
      Rule(part: .word, piece: ": not what version ", color: .error),
    ])

  /// What became of stores.
  package static let migration = TextColoring(rules: [
    Rule(part: .lead, piece: "note:", color: .note), Rule(part: .word, piece: ": migrated ", color: .success),
    Rule(part: .word, piece: ": would migrate ", color: .success),
    Rule(part: .word, piece: ": nothing to do,", color: .success),
  ])

  /// Which version is reached from which.
  package static let matrix = TextColoring(
    rules: ["same:", "lightweight:", "staged:"].map { Rule(part: .lead, piece: $0, color: .success) } + [
      Rule(part: .lead, piece: "mapped:", color: .note), Rule(part: .lead, piece: "impossible:", color: .error),
    ], hasHeadings: true)

  /// What a rehearsal gave.
  package static let rehearsal = TextColoring(
    rules: [
      Rule(part: .lead, piece: "failure:", color: .error), Rule(part: .lead, piece: "note:", color: .note),
      Rule(part: .lead, piece: "refused:", color: .warning), Rule(part: .word, piece: ": failed,", color: .error),
      Rule(part: .word, piece: ": refused,", color: .warning), Rule(part: .word, piece: ": passed,", color: .success),
      Rule(part: .word, piece: ": passed;", color: .success),
    ])

  /// The difference of two files in the unified form, which stands behind some lines of words.
  package static let unifiedDiff = TextColoring(
    rules: [
      Rule(part: .line, piece: "--- ", color: .heading), Rule(part: .line, piece: "+++ ", color: .heading),
      Rule(part: .line, piece: "@@", color: .note), Rule(part: .line, piece: "+", color: .added),
      Rule(part: .line, piece: "-", color: .removed),
    ], start: "--- ")

  /// A model in words.
  package static let model = TextColoring(rules: [
    Rule(part: .line, piece: "entity ", color: .heading), Rule(part: .line, piece: "composite type ", color: .heading),
    Rule(part: .line, piece: "configuration ", color: .heading),
    Rule(part: .line, piece: "fetch request ", color: .heading),
  ])

  /// What a project gets, with the lines of new files.
  package static let setup = TextColoring(rules: [
    Rule(part: .line, piece: "  + ", color: .added), Rule(part: .lead, piece: "note:", color: .note),
    Rule(part: .line, piece: "guarded from now on:", color: .success),
    Rule(part: .line, piece: "dry run:", color: .warning), Rule(part: .line, piece: "next:", color: .heading),
  ])

  private static let severities: [(String, TerminalColor)] = [
    ("error", .error), ("warning", .warning), ("note", .note),
  ]
}
