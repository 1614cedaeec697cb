import Rehearsals
import StoreMigration

extension RehearsalReport {
  /// A paragraph a version: what was done on how many paths, then what a reader should know.
  public var text: String {
    ([lead] + bundles.map(\.text) + [summary]).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  /// What the synthetic rows depend on, in one line; nothing where every store was given.
  public var lead: String {
    isOfGivenStores ? "" : "seed \(seed), \(Quantity.text(rows, "row")) an entity\n"
  }

  private var isOfGivenStores: Bool { bundles.contains { $0.sources.contains { $0.store != nil } } }

  /// How many versions ended how, in one line.
  public var summary: String {
    let sources = bundles.flatMap(\.sources)
    let counts = Source.Outcome.allCases.compactMap { outcome -> String? in
      let count = sources.count { $0.outcome == outcome }
      return count == 0 ? nil : "\(count) \(outcome.rawValue)"
    }
    let stores = sources.flatMap(\.stores)
    let migrations = stores.flatMap(\.paths).count
    let values = stores.reduce(0) { $0 + $1.comparedValues }
    let links = stores.reduce(0) { $0 + $1.comparedLinks }
    return WrappedText.lines(
      """
      \(isInterrupted ? "interrupted; " : "")\(Quantity.text(sources.count, isOfGivenStores ? "store" : "version"))\
      \(counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")); \
      \(Quantity.text(migrations, "migration")), \(Quantity.text(values, "value")) and \
      \(Quantity.text(links, "link")) compared
      """, lead: "", indent: "  "
    ).joined(separator: "\n") + "\n"
  }
}

extension RehearsalReport.Bundle {
  var text: String { heading + sources.map { $0.text(to: to) }.joined() + ending }

  /// The bundle and the version to reach.
  public var heading: String { "\(path), to \(to)\n" }

  /// What stands below the versions: those that cannot be used, or that there is nothing to rehearse.
  public var ending: String {
    guard unusable.isEmpty else { return unusable.map { "  \($0): not rehearsed, it cannot be used\n" }.joined() }
    return sources.isEmpty ? "  no older version\n" : ""
  }
}

extension RehearsalReport.Source {
  /// What came of the version in a paragraph.
  ///
  /// - Parameter destination: the version to reach.
  /// - Returns: the lines, each ended.
  public func text(to destination: String) -> String { lines(to: destination).map { $0 + "\n" }.joined() }

  private func lines(to destination: String) -> [String] {
    let name = store.map { "\($0), \(from)" } ?? from
    guard verdict != .same else {
      return WrappedText.lines(
        "\(name): passed; its hashes are those of \(destination), nothing migrates", lead: "  ", indent: "    ")
    }
    var lines = WrappedText.lines("\(name): \(outcome.rawValue), \(verdict.rawValue)", lead: "  ", indent: "    ")
    var reported: Set<String> = []
    for store in stores { lines += store.lines(besides: &reported) }
    for failure in failures {
      let path = failure.path.map { "\($0): " } ?? ""
      lines += WrappedText.lines("failure: \(path)\(failure.sentence)", lead: "    ", indent: "      ")
    }
    if !failures.isEmpty { lines.append("    to see it again: \(command)") }
    return lines
  }
}

extension RehearsalReport.Store {
  /// What came of the store; what was reported of the store before is not reported again.
  func lines(besides reported: inout Set<String>) -> [String] {
    let migrated = paths.filter { $0.outcome == .migrated }
    let kind = isComplete ? "again without gaps and duplicates: " : ""
    var lines = WrappedText.lines(
      "\(kind)\(Quantity.text(objects, "object")), \(migrated.isEmpty ? "nothing migrated" : way(migrated))",
      lead: "    ", indent: "      ")
    lines += refusals(besides: &reported)
    for loss in losses where reported.insert("loses \(loss)").inserted {
      lines += WrappedText.lines("loses \(loss)", lead: "    ", indent: "      ")
    }
    for note in notes where reported.insert("note: \(note)").inserted {
      lines += WrappedText.lines("note: \(note)", lead: "    ", indent: "      ")
    }
    return lines
  }

  /// Each reason with the paths and steps that it stops.
  private func refusals(besides reported: inout Set<String>) -> [String] {
    var lines: [String] = []
    var seen: Set<String> = []
    for refused in paths {
      guard let reason = refused.reason, seen.insert(reason).inserted else { continue }
      var places: [(step: String, names: [String])] = []
      for path in paths where path.reason == reason {
        guard let step = path.step else { continue }
        if let last = places.indices.last, places[last].step == step {
          places[last].names.append(path.path.rawValue)
        } else {
          places.append((step, [path.path.rawValue]))
        }
      }
      let text = places.map { "\($0.names.joined(separator: ", ")) at \($0.step)" }.joined(separator: "; ")
      let isNew = reported.insert(reason).inserted
      lines += WrappedText.lines("refused: \(text)\(isNew ? ":" : ", as before")", lead: "    ", indent: "      ")
      for sentence in isNew ? refused.refusal?.reasons ?? [] : [] {
        lines += WrappedText.lines(sentence, lead: "      ", indent: "        ")
      }
    }
    return lines
  }

  /// The paths that were taken, and what held between them.
  private func way(_ migrated: [RehearsalReport.Path]) -> String {
    let names = migrated.map { path in
      path.versions.count > 2 && path.path == .stepByStep
        ? "\(path.path.rawValue) through \(Quantity.text(path.versions.count - 2, "version"))" : path.path.rawValue
    }
    return names.joined(separator: ", ")
  }
}
