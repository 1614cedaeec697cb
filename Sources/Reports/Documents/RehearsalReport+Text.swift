extension RehearsalReport {
  /// A paragraph a version: what was done on how many paths, then what a reader should know.
  public var text: String {
    let lead = "seed \(seed), \(Quantity.text(rows, "row")) an entity\n"
    return lead + bundles.map { "\n" + $0.text }.joined() + "\n" + summary
  }

  /// How many versions ended how, in one line.
  private var summary: String {
    let sources = bundles.flatMap(\.sources)
    let counts = ["passed", "refused", "failed"].compactMap { outcome -> String? in
      let count = sources.count { $0.outcome == outcome }
      return count == 0 ? nil : "\(count) \(outcome)"
    }
    let stores = sources.flatMap(\.stores)
    let migrations = stores.flatMap(\.paths).count
    let values = stores.reduce(0) { $0 + $1.comparedValues }
    let links = stores.reduce(0) { $0 + $1.comparedLinks }
    return WrappedText.lines(
      """
      \(Quantity.text(sources.count, "version"))\(counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")); \
      \(Quantity.text(migrations, "migration")), \(Quantity.text(values, "value")) and \
      \(Quantity.text(links, "link")) compared
      """, lead: "", indent: "  "
    ).joined(separator: "\n") + "\n"
  }
}

extension RehearsalReport.Bundle {
  var text: String {
    let body = sources.isEmpty ? ["  no older version"] : sources.flatMap { $0.lines(to: to) }
    return (["\(path), to \(to)"] + body).joined(separator: "\n") + "\n"
  }
}

extension RehearsalReport.Source {
  func lines(to destination: String) -> [String] {
    guard verdict != "same" else {
      return ["  \(from): passed; its hashes are those of \(destination), nothing migrates"]
    }
    var lines = WrappedText.lines("\(from): \(outcome), \(verdict)", lead: "  ", indent: "    ")
    var told: Set<String> = []
    for store in stores { lines += store.lines(besides: &told) }
    for failure in failures {
      let path = failure.path.map { "\($0): " } ?? ""
      lines += WrappedText.lines("failure: \(path)\(failure.sentence)", lead: "    ", indent: "      ")
    }
    if !failures.isEmpty { lines += WrappedText.lines("to see it again: \(command)", lead: "    ", indent: "      ") }
    return lines
  }
}

extension RehearsalReport.Store {
  /// What came of the store; a refusal that was told of the store before is not told again.
  func lines(besides told: inout Set<String>) -> [String] {
    let migrated = paths.filter { $0.outcome == "migrated" }
    let kind = isComplete ? "again without gaps and duplicates: " : ""
    var lines = WrappedText.lines(
      "\(kind)\(Quantity.text(objects, "object")), \(migrated.isEmpty ? "nothing migrated" : way(migrated))",
      lead: "    ", indent: "      ")
    var seen: Set<String> = []
    for path in paths {
      guard let reason = path.reason, let step = path.step, seen.insert("\(step) \(reason)").inserted else { continue }
      let names = paths.filter { $0.reason == reason && $0.step == step }.map(\.path).joined(separator: ", ")
      let isNew = told.insert("\(step) \(reason)").inserted
      let end = isNew ? ":" : " as before"
      lines += WrappedText.lines("\(names): refused at \(step)\(end)", lead: "    ", indent: "      ")
      for sentence in isNew ? reason.split(separator: "\n") : [] {
        lines += WrappedText.lines(String(sentence), lead: "      ", indent: "        ")
      }
    }
    lines += losses.flatMap { WrappedText.lines("loses \($0)", lead: "    ", indent: "      ") }
    lines += notes.flatMap { WrappedText.lines("note: \($0)", lead: "    ", indent: "      ") }
    return lines
  }

  /// The paths that were taken, and what held between them.
  private func way(_ migrated: [RehearsalReport.Path]) -> String {
    let names = migrated.map { path in
      path.versions.count > 2 && path.path == "step by step"
        ? "\(path.path) through \(Quantity.text(path.versions.count - 2, "version"))" : path.path
    }
    return names.joined(separator: ", ")
  }
}
