import Rehearsals
import StoreMigration

extension RehearsalReport {
  /// One paragraph per version: the migrated paths, then notes.
  public var text: String { ([lead] + bundles.map(\.text) + [summary]).filter { !$0.isEmpty }.joined(separator: "\n") }

  /// The seed and the number of synthetic rows, in a single line; empty if every store was given.
  public var lead: String { isOfGivenStores ? "" : "seed \(seed), \(Quantity.text(rows, "row")) per entity\n" }

  private var isOfGivenStores: Bool { bundles.contains { $0.sources.contains { $0.store != nil } } }

  /// The number of versions per outcome, in a single line.
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
  var text: String {
    var reasons = RehearsalReasons()
    return heading + sources.map { $0.text(to: to, besides: &reasons) }.joined() + reasons.text + ending
  }

  /// The bundle and the version to reach.
  public var heading: String { "\(path), to \(to)\n" }

  /// The lines after the versions: versions that cannot be used, or that there is no older version.
  public var ending: String {
    guard unusable.isEmpty else {
      return unusable.map { "  \($0): not rehearsed, because it cannot be used\n" }.joined()
    }
    return sources.isEmpty ? "  no older version\n" : ""
  }
}

/// The reasons for which versions of a bundle are refused or fail, each written once.
public struct RehearsalReasons: Sendable {
  private var places: [(reason: String, sources: [String])] = []

  /// Creates an empty list.
  public init() {}

  /// Adds a reason why a version is refused.
  ///
  /// - Returns: the version that the reason is listed for; nil if it is this version.
  mutating func place(of reason: String, at source: String) -> String? {
    guard let position = places.firstIndex(where: { $0.reason == reason }) else {
      places.append((reason, [source]))
      return nil
    }
    if places[position].sources.last != source { places[position].sources.append(source) }
    return places[position].sources[0] == source ? nil : places[position].sources[0]
  }

  /// The number of versions per reason, for reasons of several versions.
  public var text: String {
    places.filter { $0.sources.count > 1 }.map { reason in
      "  \(Quantity.text(reason.sources.count, "version")) have the reason that is listed for \(reason.sources[0])\n"
    }.joined()
  }
}

extension RehearsalReport.Source {
  /// The result of the version in a paragraph.
  public func text(to destination: String, besides reasons: inout RehearsalReasons) -> String {
    lines(to: destination, besides: &reasons).map { $0 + "\n" }.joined()
  }

  private func lines(to destination: String, besides reasons: inout RehearsalReasons) -> [String] {
    let name = store.map { "\($0), \(from)" } ?? from
    guard verdict != .same else {
      return WrappedText.lines(
        "\(name): passed; it has the hashes of \(destination), so no migration is needed", lead: "  ", indent: "    ")
    }
    var lines = WrappedText.lines("\(name): \(outcome.rawValue), \(verdict.rawValue)", lead: "  ", indent: "    ")
    var reported: Set<String> = []
    for store in stores { lines += store.lines(besides: &reported, &reasons, at: name) }
    for (reason, failures) in grouped {
      let sentence = reasons.place(of: reason, at: name).map { "as for \($0)" } ?? reason
      lines += WrappedText.lines(
        SpokenText.shown("failure: \(Self.places(of: failures))\(sentence)"), lead: "    ", indent: "      ")
    }
    if !failures.isEmpty { lines.append("    to reproduce it: \(command)") }
    return lines
  }

  private var grouped: [(reason: String, failures: [RehearsalReport.Finding])] {
    var groups: [(reason: String, failures: [RehearsalReport.Finding])] = []
    for failure in failures {
      if let position = groups.firstIndex(where: { $0.reason == failure.reason }) {
        groups[position].failures.append(failure)
      } else {
        groups.append((failure.reason, [failure]))
      }
    }
    return groups
  }

  /// The paths and steps of failures with one reason, before the reason.
  private static func places(of failures: [RehearsalReport.Finding]) -> String {
    guard failures.count > 1 else {
      return failures.flatMap { [$0.path, $0.step] }.compactMap { $0.map { "\($0): " } }.joined()
    }
    var places: [(step: String?, paths: [String])] = []
    for failure in failures {
      let paths = [failure.path].compactMap { $0 }
      if let last = places.indices.last, places[last].step == failure.step {
        places[last].paths += paths
      } else {
        places.append((failure.step, paths))
      }
    }
    return places.map { $0.paths.joined(separator: ", ") + ($0.step.map { " at \($0)" } ?? "") }
      .joined(separator: "; ") + ": "
  }
}

extension RehearsalReport.Store {
  /// The result of the store, without notes that were already reported for the previous store.
  func lines(besides reported: inout Set<String>, _ reasons: inout RehearsalReasons, at source: String) -> [String] {
    let migrated = paths.filter { $0.outcome == .migrated }
    let kind = isComplete ? "repeated with complete, unique rows: " : ""
    var lines = WrappedText.lines(
      "\(kind)\(Quantity.text(objects, "object")), \(migrated.isEmpty ? "nothing migrated" : pathNames(migrated))",
      lead: "    ", indent: "      ")
    lines += refusals(besides: &reported, &reasons, at: source)
    for loss in losses where reported.insert("loses \(loss)").inserted {
      lines += WrappedText.lines(SpokenText.shown("loses \(loss)"), lead: "    ", indent: "      ")
    }
    for note in notes where reported.insert("note: \(note)").inserted {
      lines += WrappedText.lines(SpokenText.shown("note: \(note)"), lead: "    ", indent: "      ")
    }
    return lines
  }

  /// Each reason with the paths and steps that it stops.
  private func refusals(
    besides reported: inout Set<String>, _ reasons: inout RehearsalReasons, at source: String
  ) -> [String] {
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
      let earlier = isNew ? reasons.place(of: reason, at: source).map { ", as for \($0)" } : ", as before"
      lines += WrappedText.lines(SpokenText.shown("refused: \(text)\(earlier ?? ":")"), lead: "    ", indent: "      ")
      for sentence in earlier == nil ? refused.refusal?.reasons ?? [] : [] {
        lines += WrappedText.lines(SpokenText.shown(sentence), lead: "      ", indent: "        ")
      }
    }
    return lines
  }

  /// The migrated paths.
  private func pathNames(_ migrated: [RehearsalReport.Path]) -> String {
    let names = migrated.map { path in
      path.versions.count > 2 && path.path == .stepByStep
        ? "\(path.path.rawValue) through \(Quantity.text(path.versions.count - 2, "version"))" : path.path.rawValue
    }
    return names.joined(separator: ", ")
  }
}
