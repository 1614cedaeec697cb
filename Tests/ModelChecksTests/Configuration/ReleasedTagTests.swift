import Foundation
import ModelChecks
import ModelDescription
import ModelFiles
import PersistentStores
import TestSupport
import Testing

/// Versions that are there at a tag were released.
struct ReleasedTagTests {
  private func model(_ attributes: String...) -> String {
    let lines = attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
    return "<model>\n<entity name=\"Note\">\n\(lines.joined(separator: "\n"))\n</entity>\n</model>\n"
  }

  private func write(_ text: String, _ name: String, in repository: ScratchRepository) throws {
    let url = repository.url.appendingPathComponent("A.xcdatamodeld/\(name)")
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func commit(_ repository: ScratchRepository, tag: String?) throws {
    try repository.git("add", "--all")
    try repository.git("commit", "--quiet", "--message=state")
    if let tag { try repository.git("tag", tag) }
  }

  private func load(_ repository: ScratchRepository, tags: String) -> CheckedProject {
    CheckedProject.load(
      paths: [repository.url.path], configuration: CheckConfiguration(releasedTags: tags))
  }

  /// v1 is released with 1.0 and 1.1, v2 with 1.1; v1 was edited after 1.0, v3 is new.
  private func repository() throws -> ScratchRepository {
    let repository = try ScratchRepository()
    try write(model("a"), "v1.xcdatamodel/contents", in: repository)
    try commit(repository, tag: "v1.0")
    try write(model("a", "b"), "v2.xcdatamodel/contents", in: repository)
    try commit(repository, tag: "v1.1")
    try write(model("a", "x"), "v1.xcdatamodel/contents", in: repository)
    try commit(repository, tag: "nightly")
    try write(model("a", "b", "c"), "v3.xcdatamodel/contents", in: repository)
    return repository
  }

  @Test func everyVersionAtATagWasReleasedOnce() throws {
    let project = load(try repository(), tags: "v*")
    let history = try #require(project.bundles.first?.history)
    #expect(project.errors.isEmpty)
    #expect(
      history.released.map { "\($0.name) \($0.evidence)" } == [
        "v1 tag(name: \"v1.0\")", "v2 tag(name: \"v1.1\")",
      ])
    #expect(history.openSteps.map(\.destination.name) == ["v3"])
  }

  @Test func anEditSinceTheTagIsFound() throws {
    let findings = CheckRun(load(try repository(), tags: "v*")).findings()
    #expect(findings.contains { $0.rule == "unversioned-change" && $0.message.contains("v1.0") })
  }

  @Test func aShallowCloneWithoutTagsSaysWhatToFetch() throws {
    let origin = try repository()
    let clone = try origin.clone("copy", "--depth=1", "--no-tags")
    #expect(
      load(clone, tags: "v*").errors.compactMap { ($0 as? any AdvisedError)?.advice?.text } == [
        "fetch the tags: git fetch --depth=1 origin 'refs/tags/*:refs/tags/*'"
      ])
    #expect(
      load(clone, tags: "v*").errors.map { "\($0)" } == [
        "no tag matches “v*”, but this shallow clone may lack tags; fetch the tags"
      ])
    #expect(load(try origin.clone("whole"), tags: "none*").errors.isEmpty)
  }
}
