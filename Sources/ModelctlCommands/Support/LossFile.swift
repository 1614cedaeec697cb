import Foundation
import ModelKit

/// The file of `--write-losses`, with the names of the losses for `--allow-data-loss @FILE`.
struct LossFile {
  /// The name of a loss, with its description.
  typealias Entry = (name: String, sentence: String)

  let path: String

  /// Writes the losses of a migration, the allowed losses first.
  func write(_ blocked: MigrationBlocked, _ consent: Consent, of store: String) throws {
    try checkWritable(stores: [store])
    let changed = blocked.blockers.filter(\.isLossOfValues)
      .map { ("\($0.blocker.element)", $0.blocker.explanation) }
    let found =
      blocked.losses.map {
        ($0.loss.loss.element, "\($0.amount): \($0.loss.loss.sentence)")
      } + changed
    let entries = consent.names.map { ($0.text, "already allowed") } + found
    guard !entries.isEmpty else {
      return Console.note(
        "\(store): the migration loses no data that you must allow, so modelctl does not write \(path)")
    }
    let words =
      ShellWord(path: store).text
      + GivenOptions.current.migration
      + (consent.takesLock ? " \(LossConsent.lockOption)" : "")
    try write(entries, cause: "a migration of \(store)", next: "migrate: modelctl migrate \(words) \(option)")
  }

  /// Writes the losses on the path to the only version that loses data.
  ///
  /// - Parameter isDraft: true if the version is recorded as a draft.
  func write(isDraft: Bool, losing find: () throws -> [LosingVersion]) throws {
    try checkWritable()
    let losing = try find()
    let commands = losing.map { version in
      let options = (isDraft ? " --draft" : "") + (version.isRelocked ? " --relock" : "")
      return "modelctl lock\(options) \(ShellWord(path: version.path).text)"
    }
    guard let only = losing.first else {
      return Console.note("the lock file allows all losses already, so modelctl does not write \(path)")
    }
    guard losing.count == 1 else { throw CommandError.severalLosingVersions(commands: commands) }
    try write(
      only.losses.map { ($0.name, $0.sentence) }, cause: "the path to \(only.name)",
      next: "record the version: \(commands[0]) \(option)")
  }

  private var option: String { LossConsent.option("@\(path)") }

  /// Refuses a path if the file cannot be written there.
  private func checkWritable(stores: [String] = []) throws(CommandError) {
    let reserved = ReservedFiles(stores: stores)
    if let reason = ReportOption.refusal(at: path) ?? reserved.refusal(for: path) {
      throw .unwritable(path: path, reason: reason, advice: "name another file")
    }
  }

  /// Writes the file without repeated names, and prints the command that reads it.
  private func write(_ entries: [Entry], cause: String, next: String) throws {
    var seen: Set<String> = []
    let entries = entries.filter { seen.insert($0.name).inserted }
    let text = Self.text(
      "The data that \(cause) loses. Delete the names of data that you want to keep, then \(next)", entries)
    do {
      try FileReplacement.write(Data(text.utf8), to: path)
    } catch {
      throw CommandError.unwritable(path, error)
    }
    let count = Quantity.text(entries.count, "name")
    try Console.words("\(path): \(count) written. Delete the names of data that you want to keep, then \(next)\n")
  }

  /// The text of the file, as ``ConsentFile/read(_:)`` reads it, with a comment above each name.
  private static func text(_ title: String, _ entries: [Entry]) -> String {
    let comments = { (text: String) in PrintableText.escaped(text).split(whereSeparator: \.isNewline) }
    let lines = entries.flatMap { entry in comments(entry.sentence).map { "# \($0)" } + [entry.name] }
    return (comments(title).map { "# \($0)" } + lines).joined(separator: "\n") + "\n"
  }
}
