import Foundation
import ModelKit

/// A file of names whose loss is consented to: one a line, in UTF-8; what follows a `#` at the start of a line or after white space is a comment.
enum ConsentFile {
  /// Reads a file.
  ///
  /// - Parameter path: the file.
  /// - Returns: the names in their order, at least one.
  /// - Throws: ``ConsentFileError``, and `ModelFileError` when the file cannot be read or is too large.
  static func read(_ path: String) throws -> [ConsentName] {
    guard !path.isEmpty else { throw ConsentFileError.noPath }
    let data: Data
    do {
      data = try FileBytes.read(path)
    } catch ModelFileError.empty {
      throw ConsentFileError.noNames(path: path)
    } catch ModelFileError.unreadable(_, let reason) {
      throw ConsentFileError.unreadable(path: path, reason: reason)
    }
    guard let text = String(validating: data, as: UTF8.self) else { throw ConsentFileError.notText(path: path) }
    let names = try names(in: text, path)
    guard !names.isEmpty else { throw ConsentFileError.noNames(path: path) }
    return names
  }

  private static func names(in text: String, _ path: String) throws(ConsentFileError) -> [ConsentName] {
    var names: [ConsentName] = []
    var number = 0
    for line in text.drop(while: { $0 == "\u{FEFF}" }).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    {
      number += 1
      let name = withoutComment(line).trimmingCharacters(in: .whitespaces)
      guard !name.isEmpty else { continue }
      let location = SourceLocation(file: path, line: number, column: 1)
      guard !name.contains(where: { $0.isWhitespace || $0 == "," }) else { throw .severalNames(location) }
      names.append(ConsentName(text: name, location: location))
    }
    return names
  }

  /// What stands before a comment, whose `#` begins the line or follows white space: a name can hold one.
  private static func withoutComment(_ line: Substring) -> Substring {
    let start = line.indices.first {
      line[$0] == "#" && ($0 == line.startIndex || line[line.index(before: $0)].isWhitespace)
    }
    return start.map { line[..<$0] } ?? line
  }

  /// The names of what a migration loses, those that were given first, each with what is lost.
  static func losses(_ blocked: MigrationBlocked, _ consent: Consent) -> [(name: String, sentence: String)] {
    let changed = blocked.blockers.filter(\.isLossOfValues)
      .map { ("\($0.obstacle.element)", $0.obstacle.explanation) }
    let found =
      blocked.losses.filter(\.mergedBundles.isEmpty).map {
        ($0.loss.loss.element, "\($0.amount): \($0.loss.loss.sentence)")
      } + changed
    return consent.names.map { ($0.text, "consented to already") } + found
  }

  /// Refuses a path at which no file of names can be written.
  ///
  /// - Parameters:
  ///   - path: where the file goes.
  ///   - stores: the stores that the command reads.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  static func checkWritable(_ path: String, stores: [String] = []) throws(CommandError) {
    let reserved = ReservedFiles(stores: stores, journal: nil, outputs: [])
    if let reason = ReportOption.obstacle(at: path) ?? reserved.obstacle(for: path) {
      throw .unwritable(path: path, reason: "\(reason); name another file")
    }
  }

  /// Writes a file, and prints the command that takes it.
  ///
  /// - Parameters:
  ///   - losses: the names, each with what is lost; a name that comes again is left out.
  ///   - path: where the file goes.
  ///   - cause: what would lose them, such as `migrating a.sqlite`.
  ///   - next: what is done with the file, with the command, as it follows “and”.
  /// - Throws: ``CommandError/unwritable(path:reason:)``.
  static func write(
    _ losses: [(name: String, sentence: String)], to path: String, cause: String, next: String
  ) throws {
    var seen: Set<String> = []
    let losses = losses.filter { seen.insert($0.name).inserted }
    let text = text("What \(cause) would lose. Take out what is not meant, and \(next)", losses: losses)
    do {
      try FileReplacement.write(Data(text.utf8), to: path)
    } catch {
      throw CommandError.unwritable(path, error)
    }
    let count = Quantity.text(losses.count, "name")
    try Console.standardOutput("\(path): \(count) written; take out what is not meant, and \(next)\n")
  }

  /// What a file says, so that a person takes out what is not meant.
  ///
  /// - Parameters:
  ///   - title: what the file is about; the first comment.
  ///   - losses: the names, each with what is lost.
  /// - Returns: the file's text, which ``read(_:)`` takes.
  private static func text(_ title: String, losses: [(name: String, sentence: String)]) -> String {
    let comments = { (text: String) in PrintableText.escaped(text).split(whereSeparator: \.isNewline) }
    let lines = losses.flatMap { loss in comments(loss.sentence).map { "# \($0)" } + [loss.name] }
    return (comments(title).map { "# \($0)" } + lines).joined(separator: "\n") + "\n"
  }
}
