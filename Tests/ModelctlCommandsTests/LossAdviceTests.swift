import Foundation
import TestSupport
import Testing

@Suite("Advice about losses: files of names for lock, losses that the lock file accepts, and options of a rehearsal")
struct LossAdviceTests {
  private static let attributes = ["a", "b", "c", "d", "e", "f"]
  private static let version = "Notes.xcdatamodeld/v2.xcdatamodel"

  /// A released version, a store of it, and a new version without the first attributes.
  private func workspace(losing count: Int) throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Empty")
    try write("v1", Self.attributes + ["kept"], in: workspace)
    try workspace.shell("modelctl lock Notes.xcdatamodeld && modelctl create notes.sqlite --version v1 --rows 20")
    try write("v2", Self.attributes.dropFirst(count) + ["kept"], in: workspace)
    return workspace
  }

  private func write(_ version: String, _ attributes: [String], in workspace: SampleFolder) throws {
    try write(version, model: "<entity name=\"Note\">\n\(text(attributes))\n</entity>", in: workspace)
  }

  private func write(_ version: String, model: String, in workspace: SampleFolder) throws {
    try workspace.write(
      "<model>\(model)</model>\n", to: "Notes.xcdatamodeld/\(version).xcdatamodel/contents")
    try workspace.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>\n",
      to: "Notes.xcdatamodeld/.xccurrentversion")
  }

  private func text(_ attributes: [String]) -> String {
    attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }
      .joined(separator: "\n")
  }

  private func names(_ names: some Sequence<String>) -> String {
    names.map { "--allow-data-loss Note.\($0)" }.joined(separator: " ")
  }

  @Test("Up to four losses, check and lock suggest one command with the names; it runs", arguments: [1, 4])
  func fewLosses(_ count: Int) throws {
    let workspace = try workspace(losing: count)
    let command = "modelctl lock \(Self.version) \(names(Self.attributes.prefix(count)))"
    let draft = command.replacing("lock", with: "lock --draft", maxReplacements: 1)
    #expect(Set(AdvisedCommand.all(in: try workspace.modelctl("check").standardOutput)).contains(draft))
    let refused = try workspace.modelctl("lock", "Notes.xcdatamodeld")
    #expect(refused.status == 2)
    #expect(AdvisedCommand.all(in: refused.standardError) == [command])
    try workspace.shell(command)
    #expect(try workspace.modelctl("check").status == 0)
  }

  @Test("A loss that only a version in between causes has the direct migration as a way out, which runs")
  func lossInBetween() throws {
    let workspace = try SampleFolder(emptyNamed: "Empty")
    try write("v1", ["a", "b"], in: workspace)
    try write("v2", [], in: workspace)
    try write("v3", ["a"], in: workspace)
    try workspace.shell("modelctl create notes.sqlite --version v1 --rows 20")
    let refused = try workspace.modelctl("migrate", "notes.sqlite")
    let lines = refused.standardError.split(separator: "\n")
    #expect(refused.status == 2 && lines.filter { $0.contains(": --direct; or ") }.count == 1, "\(refused)")
    #expect(lines.contains { $0.hasPrefix("  Note.a: ") && $0.contains(": --direct; or ") }, "\(refused)")
    let direct = try workspace.modelctl("migrate", "notes.sqlite", "--direct", "--allow-data-loss", "Note.b")
    #expect(direct.status == 0, "\(direct)")
    let back = try workspace.modelctl("migrate", "notes.sqlite", "--to", "v2", "--direct")
    #expect(back.status == 2 && !back.standardError.contains("--direct;"), "\(back)")
  }

  @Test("From five losses on they suggest two commands around a file of names; both run")
  func manyLosses() throws {
    for (asked, draft) in [("check", " --draft"), ("lock Notes.xcdatamodeld", "")] {
      let workspace = try workspace(losing: 5)
      let refused = try Modelctl.shell("modelctl \(asked)", in: workspace)
      let commands = AdvisedCommand.all(in: refused.standardOutput + refused.standardError)
        .filter { $0.contains("losses.txt") }.prefix(2)
      try #require(
        commands == [
          "modelctl lock\(draft) \(Self.version) --write-losses losses.txt",
          "modelctl lock\(draft) \(Self.version) --allow-data-loss @losses.txt",
        ], "\(refused)")
      #expect(!refused.standardOutput.contains("--allow-data-loss Note"))
      let before = try workspace.shell("cat Notes.lock.json")
      let written = try Modelctl.shell(commands[0], in: workspace)
      #expect(written.status == 0 && written.standardOutput.hasPrefix("losses.txt: 5 names written. "), "\(written)")
      #expect(AdvisedCommand.all(in: written.standardOutput) == [commands[1]])
      #expect(try workspace.shell("cat Notes.lock.json") == before)
      try workspace.shell(commands[1])
      #expect(try workspace.modelctl("check").status == 0)
      let again = try Modelctl.shell(commands[0], in: workspace)
      #expect(again.status == 0)
      #expect(
        again.standardError
          == "note: the lock file allows all losses already, so modelctl does not write losses.txt\n")
    }
  }

  @Test("The suggested command runs for inherited properties and for elements of composite attributes")
  func inheritedAndComposite() throws {
    let place = """
      <entity name="Place"><attribute name="geo" optional="YES" attributeType="Composite" composite="Geo"/></entity>
      """
    let workspace = try SampleFolder(emptyNamed: "Empty")
    try write(
      "v1",
      model: """
        <entity name="Base" isAbstract="YES">\(text(["note"]))</entity>
        <entity name="Mid" parentEntity="Base">\(text(["m"]))</entity>
        <entity name="Leaf" parentEntity="Mid"/>
        <entity name="Other" parentEntity="Base"/>
        \(place)<composite name="Geo">\(text(["lat", "lon"]))</composite>
        """, in: workspace)
    try workspace.shell("modelctl lock Notes.xcdatamodeld && modelctl create notes.sqlite --version v1 --rows 5")
    try write(
      "v2",
      model: """
        <entity name="Base" isAbstract="YES"/>
        <entity name="Mid" parentEntity="Base">\(text(["m"]))</entity>
        <entity name="Leaf" parentEntity="Base"/>
        <entity name="Other" parentEntity="Base">\(text(["note"]))</entity>
        \(place)<composite name="Geo">\(text(["lat"]))</composite>
        """, in: workspace)
    let commands = Set(AdvisedCommand.all(in: try workspace.modelctl("check").standardOutput))
    let command = try #require(commands.first)
    #expect(commands.count == 1)
    for name in ["Mid.note", "Leaf.note", "Leaf.m", "Place.geo.lon"] {
      #expect(command.contains(" --allow-data-loss \(name)"), "\(command)")
    }
    try Refusal.expect(
      ["lock", "--draft", "v2", "--allow-data-loss", "Place.geo.lo"],
      says: [
        "v2 and the version before it do not have “Place.geo.lo”; nearest: Place.geo.lon"
      ], in: workspace)
    try Refusal.expect(
      ["lock", "--draft", "v2", "--allow-data-loss", "Nothing.here"],
      says: ["v2 and the version before it do not have “Nothing.here”\n  Write each name as Entity or Entity.property"],
      in: workspace)
    try workspace.shell(command)
    let checked = try workspace.modelctl("check")
    #expect(checked.status == 0, "\(checked)")
    try workspace.shell("modelctl migrate notes.sqlite --allow-data-loss @lock")
  }

  @Test("The suggested command runs for losses of a mapping model that skips a version without the property")
  func past() throws {
    let workspace = try workspace(losing: 1)
    try workspace.shell("modelctl lock Notes.xcdatamodeld \(names(["a"]))")
    try write("v3", Self.attributes.dropFirst() + ["kept", "new"], in: workspace)
    try workspace.write(
      """
      <mappingModel source="v1" destination="v3"><entityMapping source="Note" destination="Note"/></mappingModel>
      """, to: "Migrations/Notes/v1-v3.xml")
    let command = "modelctl lock --draft Notes.xcdatamodeld/v3.xcdatamodel \(names(["a"]))"
    #expect(AdvisedCommand.all(in: try workspace.modelctl("check").standardOutput).contains(command))
    try workspace.shell(command)
    let checked = try workspace.modelctl("check")
    #expect(checked.status == 0, "\(checked)")
  }

  @Test("The suggested command also allows the given losses, so that it is not refused for them")
  func givenNames() throws {
    let workspace = try workspace(losing: 4)
    let refused = try Modelctl.shell("modelctl lock Notes.xcdatamodeld \(names(["b", "d"]))", in: workspace)
    #expect(refused.status == 2)
    let command = try #require(AdvisedCommand.all(in: refused.standardError).first)
    #expect(command == "modelctl lock \(Self.version) \(names(["b", "d", "a", "c"]))")
    try workspace.shell(command)
  }

  @Test("The names of a version that is recorded again are written with the command for that")
  func relock() throws {
    let workspace = try workspace(losing: 0)
    try workspace.shell("modelctl lock Notes.xcdatamodeld")
    try write("v2", ["kept"], in: workspace)
    let refused = try workspace.modelctl("lock", "--relock", "v2")
    let commands = AdvisedCommand.all(in: refused.standardError)
    try #require(commands.count == 2 && commands[0].hasPrefix("modelctl lock --relock \(Self.version) "), "\(refused)")
    #expect(AdvisedCommand.all(in: try workspace.shell(commands[0])) == [commands[1]])
    try workspace.shell(commands[1])
  }

  @Test("A file of names takes the place of nothing that is needed, and holds the losses of one version")
  func places() throws {
    let workspace = try workspace(losing: 5)
    for path in ["Notes.lock.json", "notes.sqlite", "\(Self.version)/contents", "gone/losses.txt", "Empty"] {
      try Refusal.expect(
        ["lock", "--write-losses", path], says: ["\(path): cannot be written: ", "\n  Name another file"], in: workspace
      )
    }
    try workspace.shell("rm Notes.lock.json; cp -R Notes.xcdatamodeld Others.xcdatamodeld")
    try Refusal.expect(
      ["lock", "--write-losses", "losses.txt"],
      says: [
        "--write-losses: the paths to 2 versions lose data\n",
        "    modelctl lock Notes.xcdatamodeld/v2.xcdatamodel --write-losses losses.txt\n  Or:\n"
          + "    modelctl lock Others.xcdatamodeld/v2.xcdatamodel --write-losses losses.txt\n",
      ], in: workspace)
    for more in [["--all"], ["--allow-data-loss", "Note.a"], ["--store", "notes.sqlite"], ["--format", "json"]] {
      #expect(try Modelctl.run(["lock", "--write-losses", "losses.txt"] + more, in: workspace).status == 64)
    }
    #expect(try workspace.contents()["losses.txt"] == nil)
  }

  @Test("Losses that the lock file accepts are suggested as @lock, and other losses next to it", arguments: [1, 2, 6])
  func lock(_ count: Int) throws {
    let workspace = try workspace(losing: count)
    let lost = Self.attributes.prefix(count)
    for accepted in Set([1, (count + 1) / 2, count]).sorted() {
      try workspace.shell("modelctl lock --draft Notes.xcdatamodeld \(names(lost.prefix(accepted)))")
      let refused = try workspace.modelctl("migrate", "notes.sqlite", "--dry-run")
      #expect(refused.status == 2)
      let rest = lost.dropFirst(accepted)
      let options = "--allow-data-loss @lock" + (rest.isEmpty ? "" : " \(names(rest))")
      if rest.count < 5 {
        #expect(refused.standardError.hasSuffix(". To allow all of these losses: \(options)\n"), "\(refused)")
        #expect(AdvisedCommand.all(in: refused.standardError).isEmpty)
        try workspace.shell("modelctl migrate notes.sqlite --dry-run \(options)")
      } else {
        let commands = AdvisedCommand.all(in: refused.standardError)
        try #require(commands.count == 2)
        #expect(commands[0] == "modelctl plan notes.sqlite --allow-data-loss @lock --write-losses losses.txt")
        let next = AdvisedCommand.all(in: try workspace.shell(commands[0]))
        #expect(next == [commands[1]])
        #expect(try workspace.shell("grep -vc '^#' losses.txt") == "\(rest.count)")
        try workspace.shell("\(commands[1]) --dry-run")
      }
      let plan = try workspace.modelctl("plan", "notes.sqlite")
      let told = rest.count < 5 ? plan.standardOutput : plan.standardError
      #expect(plan.status == 2 && told.contains("@lock"), "\(plan)")
    }
  }

  @Test("If the lock file accepts none of the losses, or cannot be read, @lock is not suggested")
  func noLock() throws {
    let workspace = try workspace(losing: 2)
    let all = "To allow all of these losses: \(names(["a", "b"]))\n"
    #expect(try workspace.modelctl("migrate", "notes.sqlite").standardError.hasSuffix(all))
    try workspace.write("{", to: "Notes.lock.json")
    #expect(try workspace.modelctl("migrate", "notes.sqlite").standardError.hasSuffix(all))
  }

  @Test("A migration and its trial name the lost data")
  func lostData() throws {
    let workspace = try workspace(losing: 2)
    let words = "  lost, as allowed: Note.a, "
    for options in ["--dry-run", ""] {
      let result = try Modelctl.shell("modelctl migrate notes.sqlite \(names(["a", "b"])) \(options)", in: workspace)
      let line = try #require(result.standardOutput.split(separator: "\n").first { $0.hasPrefix(words) }, "\(result)")
      #expect(line.contains("; Note.b, ") && line.hasSuffix(" values"), "\(result)")
    }
  }

  @Test("The JSON names the lost data of each step of a path")
  func lostDataOfSteps() throws {
    let workspace = try workspace(losing: 1)
    try workspace.shell("modelctl lock Notes.xcdatamodeld \(names(["a"]))")
    try write("v3", Self.attributes.dropFirst(2) + ["kept"], in: workspace)
    let json = try workspace.shell("modelctl migrate notes.sqlite --format json \(names(["a", "b"]))")
    #expect(json.contains("\"losses\"") && json.contains("\"Note.a\"") && json.contains("\"Note.b\""), "\(json)")
  }

  @Test("Stores that are refused for one reason have one message about the losses that the lock file accepts")
  func fleet() throws {
    let workspace = try workspace(losing: 2)
    try workspace.shell("mkdir Stores && cp notes.sqlite Stores/1.sqlite && cp notes.sqlite Stores/2.sqlite")
    try workspace.shell("modelctl lock Notes.xcdatamodeld \(names(["a", "b"]))")
    let refused = try workspace.modelctl("migrate", "Stores", "--dry-run")
    let told = "The lock file allows these 2 losses. To allow all of these losses: --allow-data-loss @lock"
    #expect(refused.standardError.components(separatedBy: told).count == 2, "\(refused)")
    #expect(refused.standardError.hasPrefix("error: 2 stores, the first: Stores/"), "\(refused)")
    try workspace.shell("modelctl migrate Stores --allow-data-loss @lock")
  }

  @Test("A rehearsal consents to every loss and lists it, and leaves options that it does not take to migrate")
  func rehearsal() throws {
    let workspace = try workspace(losing: 5)
    try workspace.edit("\(Self.version)/contents", "name=\"f\" optional=\"YES\"", "name=\"f\"")
    let result = try workspace.modelctl("rehearse", "--rows", "40")
    #expect(result.status == 0)
    for name in Self.attributes.prefix(5) {
      #expect(
        result.standardOutput.contains("    loses Note.\(name): the attribute Note.\(name) and all its values"),
        "\(result)")
    }
    let words = result.standardOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("When you migrate, give every row without a value the same value: --fill Note.f=VALUE"),
      "\(result)")
    #expect(!words.contains("--allow-data-loss"))
    #expect(try workspace.modelctl("rehearse", "--allow-data-loss", "Note.a").status == 64)
  }
}
