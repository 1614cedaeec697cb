import Foundation
import TestSupport
import Testing

@Suite("Every command that a message suggests runs as it is printed")
struct SuggestedCommandTests {
  @Test("Commands are found in messages")
  func extraction() {
    let text = """
      error: x: gone
        Check the path; `modelctl create x` makes a new store there.
        needs migration to v2: modelctl migrate 'a, b; c.sqlite' --model M
        see: modelctl plan 'it'\\''s; a.sqlite'; and go on
      next:
        modelctl check M
      record it: modelctl lock M, or edit it all the same; and then: modelctl check
      migrations with modelctl stop
      """
    #expect(
      AdvisedCommand.all(in: text) == [
        "modelctl create x", "modelctl migrate 'a, b; c.sqlite' --model M",
        "modelctl plan 'it'\\''s; a.sqlite'", "modelctl check M", "modelctl lock M",
        "modelctl check",
      ])
  }

  @Test("Those of the recorded sessions", arguments: Transcript.sessions)
  func sessions(_ name: String) throws {
    let workspace = try Workspace(ofSession: name)
    var walk = AdviceWalk()
    for line in try Transcript(session: name).commands { try walk.run(line, in: workspace) }
    print("\(name): \(walk.count) suggested commands ran")
  }

  @Test(
    "Those about stores with names that a shell reads otherwise",
    arguments: ["shop.sqlite", "my shop's.sqlite", "-shop.sqlite", "Läden/größe $1.sqlite", "--model.sqlite"])
  func strangeNames(_ name: String) throws {
    let workspace = try Workspace()
    try workspace.write("", to: "\(name).note")
    let path = name.hasPrefix("-") ? "./\(name)" : name
    try workspace.shell("mv Models/Orders.xcdatamodeld 'Models/The Orders.xcdatamodeld'")
    try workspace.shell("rm -f Models/Orders.lock.json; rm -rf Migrations")
    for (version, destination) in [("v4", "v1"), ("v1", "v4"), ("v2", "v6")] {
      let store = quoted(path)
      try workspace.shell("rm -f \(store); modelctl create \(store) --version 'The Orders@\(version)' --rows 3")
      var walk = AdviceWalk()
      for line in [
        "modelctl status \(store)", "modelctl migrate \(store) --to 'The Orders@\(destination)'",
        "modelctl plan \(store) --to \(destination) --model 'Models/The Orders.xcdatamodeld'",
        "modelctl migrate \(store) --to \(destination) --model=Models/The\\ Orders.xcdatamodeld --direct --dry-run",
        "modelctl verify \(store)", "modelctl check", "modelctl plan \(quoted("gone \(name)"))",
      ] {
        try walk.run(line, in: workspace)
      }
      print("\(name), \(version) → \(destination): \(walk.count) suggested commands ran")
    }
  }

  @Test("Those about the corpus's stores and models", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func corpus() throws {
    let stores = ["stores", "stores-empty"].flatMap { Corpus.files(in: $0) { $0.hasSuffix(".sqlite") } }
    let chosen = CorpusSample.of(stores, atMost: 3)
    var walk = AdviceWalk(limit: CorpusSample.isWhole ? 12 : 2)
    for store in chosen {
      let owner = store.deletingLastPathComponent().lastPathComponent
      let workspace = try Workspace(emptyNamed: "Stores")
      let models = try #require(Corpus.folder).appendingPathComponent("models/\(owner)")
      for (source, name) in [(models, "Project"), (store, "Stores/a store.sqlite")]
      where FileManager.default.fileExists(atPath: source.path) {
        try FileManager.default.copyItem(at: source, to: workspace.url.appendingPathComponent(name))
      }
      let log = URL(fileURLWithPath: store.path + "-wal")
      if FileManager.default.fileExists(atPath: log.path) {
        try FileManager.default.copyItem(
          at: log, to: workspace.url.appendingPathComponent("Stores/a store.sqlite-wal"))
      }
      try workspace.shell("chmod -R u+w .")
      for command in ["status", "migrate --dry-run", "plan", "verify"] {
        try walk.run("modelctl \(command) 'Stores/a store.sqlite'", in: workspace)
      }
    }
    print(
      "corpus: \(walk.count) suggested commands ran, of \(CorpusSample.scope(chosen.count, of: stores.count)) stores")
  }

  @Test("Those about the corpus's projects", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func projects() throws {
    let folder = try #require(Corpus.folder).appendingPathComponent("models")
    let owners = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let chosen = CorpusSample.of(owners, atMost: 3)
    var walk = AdviceWalk(limit: CorpusSample.isWhole ? 12 : 3)
    for owner in chosen {
      let workspace = try Workspace(emptyNamed: "Empty")
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(owner), to: workspace.url.appendingPathComponent("Project"))
      try workspace.shell("chmod -R u+w .")
      for command in ["check", "show", "hash", "status Project", "lock --all", "check"] {
        try walk.run("modelctl \(command)", in: workspace)
      }
    }
    print(
      "corpus: \(walk.count) suggested commands ran, of \(CorpusSample.scope(chosen.count, of: owners.count)) projects")
  }

  private func quoted(_ text: String) -> String { "'\(text.replacingOccurrences(of: "'", with: "'\\''"))'" }
}
