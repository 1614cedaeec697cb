import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("The line at a location is shown as the parser read it")
struct SourceLineTests {
  private typealias Location = ModelFiles.SourceLocation

  private static let start = "<model>\n  <entity name=\"Größe\">"

  @Test(
    "In every encoding that is read, with a byte order mark and without",
    arguments: [
      ("UTF-8", .utf8), ("UTF-8", nil), ("UTF-16", .utf16), ("UTF-16", .utf16LittleEndian),
      ("UTF-16", .utf16BigEndian), ("ISO-8859-1", .isoLatin1),
    ] as [(String, String.Encoding?)])
  func encodings(_ name: String, _ encoding: String.Encoding?) throws {
    let folder = try TemporaryFolder()
    let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n\(Self.start)\n  </entity>\n</model>\n"
    let marked = Data([0xEF, 0xBB, 0xBF] + text.utf8)
    let bytes: Data? = if let encoding { text.data(using: encoding) } else { marked }
    let path = folder.path("contents")
    try #require(bytes).write(to: URL(fileURLWithPath: path))
    let places = [1, 3, 4].map { Location(file: path, line: $0, column: 1) }
    let lines = Location.sourceLines(at: places)
    #expect(
      places.map { lines[$0] } == [
        "<?xml version=\"1.0\" encoding=\"\(name)\"?>", "<entity name=\"Größe\">", "</entity>",
      ])
  }

  @Test("Text with invalid bytes is shown as far as possible")
  func invalid() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("contents")
    try Data("<model>\n<a/>\n".utf8 + [0xFF]).write(to: URL(fileURLWithPath: path))
    let place = Location(file: path, line: 2, column: 1)
    #expect(Location.sourceLines(at: [place]) == [place: "<a/>"])
  }
}
