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
        Write the names; or, if you have them, pass the file:
          modelctl lock 'a, b; c' --write-losses losses.txt
        Then go on:
          modelctl mapping check
        modelctl found no mapping model for this step below M
      migrations with modelctl stop
      """
    #expect(
      AdvisedCommand.all(in: text) == [
        "modelctl create x", "modelctl migrate 'a, b; c.sqlite' --model M",
        "modelctl plan 'it'\\''s; a.sqlite'", "modelctl check M", "modelctl lock M",
        "modelctl check", "modelctl lock 'a, b; c' --write-losses losses.txt", "modelctl mapping check",
      ])
  }

  @Test("Commands on lines of their own belong to the advice above them, and “Or” begins another way")
  func ownLines() {
    let text = """
      error: m.json: the file has merge conflict markers
        Restore the version of both sides:
          git show :1:./m.json > m.json
        Record the rest:
          modelctl lock --all
        Or:
          modelctl lock --relock v2
      2 versions checked: modelctl check
      """
    let lines = AdvisedCommand.joinedLines(of: text)
    #expect(lines.count == 3, "\(lines)")
    #expect(
      lines.map(AdvisedCommand.alternatives) == [
        [], [["git show :1:./m.json > m.json", "modelctl lock --all"], ["modelctl lock --relock v2"]],
        [["modelctl check"]],
      ])
    let steps = """
      error: a.sqlite and b.sqlite are of different versions
        Make a copy of the older store:
          modelctl convert a.sqlite c.sqlite
        Then migrate the copy:
          modelctl migrate c.sqlite
      to see more: modelctl status a.sqlite
      """
    #expect(
      AdvisedCommand.commandsBefore("modelctl migrate c.sqlite", in: steps) == ["modelctl convert a.sqlite c.sqlite"])
    #expect(AdvisedCommand.commandsBefore("modelctl status a.sqlite", in: steps) == [])
  }

  @Test("Words to be filled in are known, and the commands that take the options")
  func placeholders() throws {
    for command in ["modelctl lock --store STORE", "modelctl migrate a --fill Order.note=VALUE --allow-cloudkit"] {
      #expect(AdvisedCommand.hasPlaceholder(command))
    }
    for command in ["modelctl check A.xcdatamodeld", "modelctl migrate 'ALL.sqlite'", "modelctl check HEAD~1"] {
      #expect(!AdvisedCommand.hasPlaceholder(command))
    }
    #expect(
      AdvisedCommand.subcommands(of: "cd a && modelctl mapping check A.xml --model b; modelctl plan --emit staged")
        == ["mapping check", "plan"])
    let found = AdvisedCommand.optionsToFillIn(
      in: "make sure: --join-names-from STORE, or\n migrate with --fill A.b=VALUE\n--to v2")
    #expect(found.map(\.option) == ["--join-names-from", "--fill"])
  }

  @Test("Those of the recorded sessions", arguments: CorpusSample.of(Transcript.sessions, atMost: 1))
  func sessions(_ name: String) throws {
    let workspace = try SampleFolder(ofSession: name)
    var walk = AdviceWalk()
    for line in try Transcript(session: name).commands { try walk.run(line, in: workspace) }
    print("\(name): \(walk.count) suggested commands ran, \(walk.placeholders) options to fill in are there")
  }

  @Test(
    "Those about stores of merged models",
    arguments: CorpusSample.of(
      [
        ("Staff@v1 + Todo@v1", "Staff@v1"), ("Staff@v1 + Todo@v2", "Staff@v2 + Todo@v1"),
        ("Orders@v5 + Todo@v2", "Orders@v1 + Todo@v1"), ("Todo@v1 + Company@v1 + Family@v1", "Company@v2"),
      ], atMost: 1))
  func unions(_ source: String, _ destination: String) throws {
    let workspace = try SampleFolder()
    let store = "'my app.sqlite'"
    try workspace.shell("modelctl create \(store) --version '\(source)' --rows 3")
    let bundles = source.split(separator: " + ").map { "--model Models/\($0.prefix { $0 != "@" }).xcdatamodeld" }
    var walk = AdviceWalk()
    let given = ["", " " + bundles.joined(separator: " "), " " + bundles.reversed().joined(separator: " ")]
    for models in CorpusSample.of(given, atMost: 1) {
      let status = try Modelctl.shell("modelctl status \(store)\(models)", in: workspace)
      let advised = AdvisedCommand.all(in: status.standardOutput)
      #expect(status.status == 0 && advised == ["modelctl migrate \(store)\(models)"], "\(status)")
      for command in advised {
        let migrated = try Modelctl.shell(command, in: SampleFolder(copying: workspace))
        #expect(migrated.status == 0, "\(migrated)")
      }
      for command in ["status", "verify", "migrate --dry-run", "migrate --to '\(destination)'", "plan --to v0"] {
        try walk.run("modelctl \(command) \(store)\(models)", in: SampleFolder(copying: workspace))
      }
    }
    for command in ["status \(store) \(bundles[0])", "plan \(store) \(bundles[0])"] {
      try walk.run("modelctl \(command)", in: workspace)
    }
    print("\(source): \(walk.count) suggested commands ran")
  }

  @Test(
    "Those about stores with names that a shell reads otherwise",
    arguments: CorpusSample.of(
      ["shop.sqlite", "my shop's.sqlite", "-shop.sqlite", "Läden/größe $1.sqlite", "--model.sqlite"], atMost: 1))
  func strangeNames(_ name: String) throws {
    let workspace = try SampleFolder()
    try workspace.write("", to: "\(name).note")
    let path = name.hasPrefix("-") ? "./\(name)" : name
    try workspace.shell("mv Models/Orders.xcdatamodeld 'Models/The Orders.xcdatamodeld'")
    try workspace.shell("rm -f Models/Orders.lock.json; rm -rf Migrations")
    let pairs = CorpusSample.of([("v4", "v1"), ("v1", "v4"), ("v2", "v6")], atMost: 1)
    for (version, destination) in pairs {
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

  @Test("Those about the projects of the rules' fixtures, each with everything that is wrong with it")
  func fixtures() throws {
    let folders = try ["Rules", "FirstCheck"].flatMap { name in
      let folder = Transcript.tests.appendingPathComponent(name)
      return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        .filter { !$0.hasPrefix(".") }.map { folder.appendingPathComponent($0) }
    }
    let chosen = CorpusSample.of(folders, atMost: 1)
    var walk = AdviceWalk()
    for folder in chosen {
      let workspace = try SampleFolder(emptyNamed: "Empty")
      try FileManager.default.copyItem(at: folder, to: workspace.url.appendingPathComponent("fixture"))
      try workspace.shell(
        "cd fixture && rm -rf silent; if test -d current; then mv current ..; mv previous .. || :; fi")
      let place = try workspace.contents()["current"] == nil ? "fixture" : "current"
      let base = try workspace.contents()["previous"] == nil ? "" : " --base previous"
      for line in [
        "check \(place)\(base)", "matrix \(place)", "mapping check", "rehearse --model \(place) --rows 3",
        "lock \(place)",
        "create s.sqlite --model \(place) --version v1 --rows 2", "migrate s.sqlite --model \(place) --dry-run",
      ] {
        try walk.run("modelctl \(line)", in: workspace)
      }
    }
    print("\(walk.count) suggested commands ran, of \(CorpusSample.scope(chosen.count, of: folders.count)) fixtures")
  }

  @Test(
    "Those about the corpus's stores and models", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"),
    arguments: Dictionary(grouping: CorpusSample.of(Corpus.sqliteStores, atMost: 1)) {
      $0.deletingLastPathComponent().lastPathComponent
    }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  func corpus(_ owner: String, _ stores: [URL]) throws {
    var walk = AdviceWalk(limit: CorpusSample.isWhole ? 12 : 2)
    for store in stores {
      let workspace = try SampleFolder(emptyNamed: "Stores")
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
        try walk.run("modelctl \(command) 'Stores/a store.sqlite'", in: workspace, about: "a store.sqlite")
      }
    }
    print("\(owner): \(walk.count) suggested commands ran, of \(stores.count) stores")
  }

  @Test("Those about the corpus's projects", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func projects() throws {
    let folder = try #require(Corpus.folder).appendingPathComponent("models")
    let owners = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let chosen = CorpusSample.of(owners, atMost: 1)
    var walk = AdviceWalk(limit: CorpusSample.isWhole ? 12 : 3)
    for owner in chosen {
      let workspace = try SampleFolder(emptyNamed: "Empty")
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

  @Test("Those about the corpus's mapping models", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
  func mappingModels() throws {
    let root = try #require(Corpus.folder)
    let files = Corpus.files(in: "mapping-models") { $0 == "xcmapping.xml" }
    let owners = Dictionary(grouping: files) { $0.pathComponents.suffix(3).first ?? "" }.sorted { $0.key < $1.key }
    let chosen = CorpusSample.of(owners, atMost: 1)
    var walk = AdviceWalk(limit: CorpusSample.isWhole ? 12 : 3)
    for (owner, files) in chosen {
      let workspace = try SampleFolder(emptyNamed: "Maps")
      let models = root.appendingPathComponent("models/\(owner)")
      if FileManager.default.fileExists(atPath: models.path) {
        try FileManager.default.copyItem(at: models, to: workspace.url.appendingPathComponent("Project"))
      }
      let names = files.map { "Maps/\($0.deletingLastPathComponent().lastPathComponent).xcmappingmodel" }
      for (file, name) in zip(files, names) {
        let folder = workspace.url.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent("xcmapping.xml"))
      }
      try workspace.shell("chmod -R u+w .")
      let shown = CorpusSample.of(names, atMost: 1)
      let lines =
        ["check", "mapping check", "matrix", "lock --all", "check"]
        + shown.flatMap { name in ["show", "check", "convert"].map { "mapping \($0) \(quoted(name))" } }
      for line in lines { try walk.run("modelctl \(line)", in: workspace) }
    }
    print(
      "corpus: \(walk.count) suggested commands ran, of the mapping models of "
        + "\(CorpusSample.scope(chosen.count, of: owners.count)) projects")
  }

  private func quoted(_ text: String) -> String { "'\(text.replacingOccurrences(of: "'", with: "'\\''"))'" }
}
