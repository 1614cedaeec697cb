import Foundation
import ModelDescription

/// A location in a text file.
public struct SourceLocation: Hashable, Sendable {
  /// The file's path as it was given.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column in Unicode scalars, counted from 1.
  public var column: Int

  /// Makes a location.
  public init(file: String, line: Int, column: Int) { (self.file, self.line, self.column) = (file, line, column) }
}

extension SourceLocation: Comparable {
  /// Orders by file, then line, then column.
  public static func < (first: SourceLocation, second: SourceLocation) -> Bool {
    (first.file, first.line, first.column) < (second.file, second.line, second.column)
  }
}

extension SourceLocation: CustomStringConvertible {
  /// The form that terminals and editors recognise: `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}

extension SourceLocation {
  /// The maximum length of a line that is shown completely, in characters.
  private static let shownLength = 160

  /// The text of the lines at these places, trimmed and cut to a readable length; places that cannot be read are left out.
  public static func sourceLines(at locations: some Sequence<SourceLocation>) -> [SourceLocation: String] {
    var lines: [SourceLocation: String] = [:]
    for (file, places) in Dictionary(grouping: locations, by: \.file) {
      guard let bytes = try? FileBytes.read(file) else { continue }
      let text = [UInt8](XMLEncoding(of: bytes).text(of: bytes).map { Data($0.utf8) } ?? bytes)
      // A file can have very many lines, of which few are shown.
      var (start, line) = (0, 1)
      for place in places.sorted() where place.line >= line {
        while line < place.line, let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) {
          (start, line) = (end + 1, line + 1)
        }
        guard line == place.line else { break }
        let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        lines[place] = shown(String(decoding: text[start..<end], as: UTF8.self))
      }
    }
    return lines
  }

  private static func shown(_ line: String) -> String {
    let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.count > shownLength ? trimmed.prefix(shownLength) + "…" : trimmed
  }
}

/// An error that may have a location in a text file; its description then begins with the location.
package protocol LocatedError: Error {
  /// The location and the words after it; nil if the error is not about a location in a text.
  var located: (location: SourceLocation, words: String)? { get }
}

package enum NameList {
  /// The maximum number of listed names.
  package static let limit = 5

  /// At most five names and the number of further names, so that a sentence about a large project is short.
  ///
  /// - Parameter last: the text before the last name if all names are listed.
  package static func text(_ names: [String], last: String = ", ") -> String {
    let limit = TextWidth.listed(limit)
    let shown = names.prefix(limit)
    if names.count > limit { return "\(shown.joined(separator: ", ")) and \(names.count - limit) more" }
    guard let end = shown.last, shown.count > 1 else { return shown.joined() }
    return shown.dropLast().joined(separator: ", ") + last + end
  }
}
