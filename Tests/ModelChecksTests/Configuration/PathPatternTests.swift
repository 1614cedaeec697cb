import ModelChecks
import Testing

/// The matches of path patterns.
struct PathPatternTests {
  static let cases: [(pattern: String, path: String, fits: Bool)] = [
    ("Pods", "Pods/A.xcdatamodeld", true),
    ("Pods", "App/Pods/A.xcdatamodeld", false),
    ("Pods/", "Pods", true),
    ("Pods/**", "Pods/A/B.xcdatamodeld", true),
    ("**/Pods", "App/Deep/Pods/A.xcdatamodeld", true),
    ("**/Pods", "Pods/A.xcdatamodeld", true),
    ("**/*.xcdatamodeld", "App/A.xcdatamodeld/v1.xcdatamodel/contents", true),
    ("*.xcdatamodeld", "App/A.xcdatamodeld", false),
    ("A*.xcdatamodeld", "AB.xcdatamodeld", true),
    ("A?.xcdatamodeld", "A.xcdatamodeld", false),
    ("a", "A", false),
    ("App/**/Old", "App/Old", true),
    ("App/**/Old", "App/One/Two/Old/x", true),
    ("App/**/Old", "App/One/New/x", false),
    ("**", "anything/at/all", true),
    ("", "a", false),
  ]

  @Test(arguments: cases)
  func fits(_ pattern: String, _ path: String, _ fits: Bool) {
    #expect(PathPattern(pattern).matches(path.split(separator: "/").map(String.init)) == fits)
  }

  @Test func manyStarsTakeNoTime() {
    let pattern = PathPattern(String(repeating: "**/*a*b*/", count: 200))
    #expect(!pattern.matches(Array(repeating: String(repeating: "ab", count: 50), count: 100)))
  }
}
