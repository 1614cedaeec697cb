extension FindingReport {
  /// The findings as a document to read: a part a finding, with its place, its rule and what to do.
  public var outline: Outline {
    Outline(
      findings.isEmpty ? "no findings" : Quantity.text(findings.count, "finding"),
      facts: failures.map { SpokenText.of("not checked: \($0)") }, parts: findings.map(\.outline))
  }

  /// The document on lines that read well aloud; nothing when nothing was found.
  public var plainText: String { findings.isEmpty ? "" : outline.text }
}

extension FindingReport.Entry {
  fileprivate var outline: Outline {
    let place = file.map { file in
      (["in \(file)"] + [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap { $0 })
        .joined(separator: ", ")
    }
    return Outline(
      SpokenText.of("\(severity): \(message)"),
      facts: [place ?? "about \(element)", "rule \(rule)"] + (fix.map { [SpokenText.of("fix: \($0)")] } ?? []))
  }
}
