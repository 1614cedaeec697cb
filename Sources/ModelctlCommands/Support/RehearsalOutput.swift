import ModelKit

/// Prints the result of each version as soon as it is known, and the progress of the rehearsal.
struct RehearsalOutput {
  /// True if text is printed on standard output.
  private let isPrinted: Bool
  private let progress = ProgressLine()

  init(isPrinted: Bool) { self.isPrinted = isPrinted }

  /// Rehearses bundles, and prints the result of each version.
  func report(
    on requests: [RehearsalRequest], without failures: [VersionError], _ options: RehearsalOptions,
    _ interrupt: Interrupt
  ) throws -> RehearsalReport {
    var report = RehearsalReport(seed: options.seed, rows: options.rows, bundles: [])
    let isSynthetic = options.store.isEmpty
    if isSynthetic { try print(report.lead) }
    for request in requests where !report.isInterrupted {
      let (unusable, isMerged) = (request.unusableVersions(failures), !request.destination.parts.isEmpty)
      var bundle = RehearsalReport.Bundle(
        path: request.destination.bundle, to: request.destination.name,
        unusable: unusable.map { isMerged ? "\(BundlePath.stem($0.bundle))@\($0.version)" : $0.version })
      try print((report.bundles.isEmpty && !isSynthetic ? "" : "\n") + bundle.heading)
      var reasons = RehearsalReasons()
      do {
        try Rehearsal(request).run(isInterrupted: { interrupt.isRaised }) {
          progress.show($0, of: bundle.path)
        } finished: { version in
          let source = RehearsalReport.Source(version, command: options.command(for: version, in: request))
          bundle.sources.append(source)
          try print(source.text(to: bundle.to, besides: &reasons))
        }
        if !reasons.text.isEmpty { try print(reasons.text) }
        if !bundle.ending.isEmpty { try print(bundle.ending) }
      } catch  where interrupt.isRaised && CommandExit.code(for: error) == CommandExit.interrupted {
        report.isInterrupted = true
      }
      report.bundles.append(bundle)
    }
    try print("\n" + report.summary)
    return report
  }

  private func print(_ text: String) throws(CommandError) {
    guard isPrinted else { return }
    progress.finish()
    try Console.standardOutput(PrintableText.escaped(text), .rehearsal)
  }

  /// Clears the progress line.
  func finish() { progress.finish() }
}
