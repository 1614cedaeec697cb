import Foundation
import TestSupport
import Testing

@Suite("Links in the documentation")
struct LinkTests {
  /// Every page of Markdown, by its path in the package.
  static let pages: [String] = {
    let roots = ["docs", "Models", "Benchmarks", "Sources/ModelKit"]
    let found = roots.flatMap { root -> [String] in
      let files = FileManager.default.enumerator(atPath: Transcript.project.appendingPathComponent(root).path)
      return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.map { "\(root)/\($0)" }
    }
    return (found + ["README.md", "CHANGELOG.md", "Examples/README.md"]).sorted()
  }()

  @Test("A link leads to a file that is there, and to a heading in it", arguments: pages)
  func links(_ page: String) throws {
    let place = Transcript.project.appendingPathComponent(page)
    let text = try String(contentsOf: place, encoding: .utf8)
    for match in text.matches(of: /\]\(([^)\s]+)\)/) {
      let target = String(match.1)
      if target.wholeMatch(of: /[a-z]+:.*/) != nil { continue }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let path = parts[0].removingPercentEncoding ?? parts[0]
      let file = path.isEmpty ? place : place.deletingLastPathComponent().appendingPathComponent(path)
      #expect(FileManager.default.fileExists(atPath: file.path), "\(page): \(target)")
      if parts.count == 2, file.pathExtension == "md" {
        let headings = Self.anchors(in: try String(contentsOf: file, encoding: .utf8))
        #expect(headings.contains(parts[1]), "\(page): \(target)")
      }
    }
  }

  @Test("The index of the documentation leads to every page of it, through other pages")
  func index() throws {
    let pages = Set(Self.pages.filter { $0.hasPrefix("docs/") })
    #expect(pages.count > 100)
    var reached: Set = ["docs/README.md"]
    var pending = ["docs/README.md"]
    while let page = pending.popLast() {
      let place = Transcript.project.appendingPathComponent(page)
      for match in try String(contentsOf: place, encoding: .utf8).matches(of: /\]\(([^)#\s]+\.md)/) {
        let file = place.deletingLastPathComponent().appendingPathComponent(String(match.1)).standardizedFileURL
        let path = String(file.path.dropFirst(Transcript.project.standardizedFileURL.path.count + 1))
        if pages.contains(path), reached.insert(path).inserted { pending.append(path) }
      }
    }
    #expect(pages.subtracting(reached).sorted() == [])
  }

  /// The names that GitHub gives headings.
  private static func anchors(in text: String) -> Set<String> {
    let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }
    return Set(
      headings.map { heading in
        let words = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return String(words.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" })
          .replacing(" ", with: "-")
      })
  }
}
