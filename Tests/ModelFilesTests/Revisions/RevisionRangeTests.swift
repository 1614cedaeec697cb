import ModelFiles
import Testing

@Suite("Two revisions in one argument")
struct RevisionRangeTests {
  @Test(
    "a range names two revisions, the later one HEAD where it is left out",
    arguments: [
      ("v1.0..v2.0", "v1.0", "v2.0"), ("main..", "main", "HEAD"), ("HEAD~2..HEAD", "HEAD~2", "HEAD"),
      ("a..b/c", "a", "b/c"),
    ])
  func range(text: String, source: String, destination: String) throws {
    let range = try #require(RevisionRange(text))
    #expect(range.source == source)
    #expect(range.destination == destination)
  }

  @Test("a path with two dots is none", arguments: ["..", "../Model", "App/../Model", "../../v1", "v1", ""])
  func path(text: String) { #expect(RevisionRange(text) == nil) }
}
