import Foundation
import ModelDescription
import ModelFiles

/// An edit in the text of a `contents` file.
struct TextEdit {
  /// Its name in the test's output.
  let kind: String
  /// The text after it, and the line where it is to be found; nil where it cannot be made.
  let apply: @Sendable (TextModel, EntityDescription) -> (lines: [String], line: Int)?
}

/// The lines of a `contents` file with the model in them.
struct TextModel: Sendable {
  let lines: [String]
  let file: ModelFile

  init(lines: [String], path: String) throws {
    self.lines = lines
    file = try ContentsReader.read(Data(lines.joined(separator: "\n").utf8), path: path)
  }

  /// The position of an element's line, if its start tag is on a line of its own.
  func position(of element: ModelElement) -> Int? {
    guard let place = file.locations[element] else { return nil }
    let position = place.line - 1
    guard lines.indices.contains(position) else { return nil }
    let line = lines[position].trimmingCharacters(in: .whitespaces)
    return line.hasPrefix("<") && line.hasSuffix(">") && line.dropFirst().firstIndex(of: "<") == nil ? position : nil
  }

  /// The last line of an entity.
  func end(ofEntityAt position: Int) -> Int? {
    if lines[position].hasSuffix("/>") { return position }
    return lines[position...].firstIndex { $0.trimmingCharacters(in: .whitespaces) == "</entity>" }
  }

  func replacing(_ position: Int, with line: String) -> [String] {
    var lines = lines
    lines[position] = line
    return lines
  }

  func inserting(_ new: [String], at position: Int) -> [String] {
    var lines = lines
    lines.insert(contentsOf: new, at: position)
    return lines
  }
}

/// The attributes of a start tag in one line of XML.
extension String {
  func value(of attribute: String) -> String? {
    guard let start = range(of: " \(attribute)=\""), let end = self[start.upperBound...].firstIndex(of: "\"") else {
      return nil
    }
    return String(self[start.upperBound..<end])
  }

  /// The line with an attribute changed, added after the name, or removed.
  func setting(_ attribute: String, _ value: String?) -> String {
    var line = self
    if attribute == "name", let value, let old = self.value(of: "name") {
      return replacingOccurrences(of: " name=\"\(old)\"", with: " name=\"\(value)\"")
    }
    if let start = line.range(of: " \(attribute)=\""), let end = line[start.upperBound...].firstIndex(of: "\"") {
      line.removeSubrange(start.lowerBound...end)
    }
    guard let value, let name = line.range(of: " name=\""), let end = line[name.upperBound...].firstIndex(of: "\"")
    else { return line }
    line.insert(contentsOf: " \(attribute)=\"\(value)\"", at: line.index(after: end))
    return line
  }

  func toggling(_ attribute: String) -> String { setting(attribute, value(of: attribute) == "YES" ? nil : "YES") }
}
