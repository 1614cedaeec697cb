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
}

/// A name whose loss is consented to.
struct ConsentName: Hashable {
  /// The entity, or `Entity.property`.
  let text: String
  /// Where it stands in a file; nil when it was an argument.
  let location: SourceLocation?
}
