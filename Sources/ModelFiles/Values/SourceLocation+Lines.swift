import Foundation

extension SourceLocation {
  /// The longest line that is shown whole, in characters.
  private static let shownLength = 160

  /// The text of the lines at these places, trimmed and cut to a readable length; places that cannot be read are left out.
  public static func sourceLines(at locations: some Sequence<SourceLocation>) -> [SourceLocation: String] {
    var lines: [SourceLocation: String] = [:]
    for (file, places) in Dictionary(grouping: locations, by: \.file) {
      guard let bytes = try? FileBytes.read(file) else { continue }
      let text = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for place in places where text.indices.contains(place.line - 1) {
        lines[place] = shown(String(decoding: text[place.line - 1], as: UTF8.self))
      }
    }
    return lines
  }

  private static func shown(_ line: String) -> String {
    let trimmed = line.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.count > shownLength ? trimmed.prefix(shownLength) + "…" : trimmed
  }
}
