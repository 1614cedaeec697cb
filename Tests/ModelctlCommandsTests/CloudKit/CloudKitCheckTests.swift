import Foundation
import GRDB
import TestSupport
import Testing

@Suite("Mirrored models are checked beside the export of their container")
struct CloudKitCheckTests {
  private struct Found: Decodable, Hashable {
    let rule: String
    let severity: String
    let message: String
    let file: String?
    let line: Int?
  }

  private struct Report: Decodable { let findings: [Found] }

  /// The findings of the rules about CloudKit.
  private func findings(_ line: String, in workspace: SampleFolder) throws -> [Found] {
    let result = try Modelctl.shell("modelctl \(line) --format json", in: workspace)
    #expect(result.status < 2, "\(result)")
    return try JSONDecoder().decode(Report.self, from: Data(result.standardOutput.utf8)).findings
      .filter { $0.rule.hasPrefix("cloudkit-") }
  }

  /// A repository with the mirrored sample: v2 is released and deployed, v3 is neither.
  private func repository() throws -> SampleFolder {
    let workspace = try SampleFolder.mirrored()
    try workspace.write(#"{ "cloudKit": { "schema": "App/schema.ckdb" } }"#, to: ".modelctl.json")
    try workspace.shell("git add --all && git commit --quiet --message before && git branch before")
    try workspace.shell("modelctl new-version && modelctl edit add attribute Note.isPinned --type Boolean --default NO")
    return workspace
  }

  @Test("A missing field is a warning until its version is released, and the advice adds it")
  func release() throws {
    let workspace = try repository()
    let draft = try findings("check", in: workspace)
    #expect(draft.map(\.rule) == ["cloudkit-field-missing"] && draft.map(\.severity) == ["warning"], "\(draft)")
    #expect(try findings("check --release", in: workspace).map(\.severity) == ["error"])
    try workspace.shell("modelctl lock")
    #expect(try findings("check", in: workspace).map(\.severity) == ["error"])
    try workspace.shell("modelctl cloudkit schema --merge App/schema.ckdb --output App/schema.ckdb")
    #expect(try findings("check", in: workspace) == [])
  }

  @Test(
    "An export that lost something is found at its line beside the base, wherever it is and whatever is checked",
    arguments: CorpusSample.of(["App/schema.ckdb", "cloudkit/schema.ckdb", "docs/schema.md"], atMost: 1))
  func base(_ path: String) throws {
    let workspace = try repository()
    try workspace.shell("git checkout --quiet before && rm -rf App/Notes.xcdatamodeld && git checkout --quiet App")
    try workspace.shell("mkdir -p cloudkit docs; git mv App/schema.ckdb \(path) || true")
    if path.hasSuffix(".md") {
      try workspace.shell("{ echo '# Schema'; echo '```'; cat \(path); echo '```'; } > new && mv new \(path)")
    }
    try workspace.write("{ \"cloudKit\": { \"schema\": \"\(path)\" } }", to: ".modelctl.json")
    try workspace.shell("git add --all && git commit --allow-empty --quiet --message moved && git tag moved")
    #expect(try findings("check App --base moved", in: workspace) == [])
    try workspace.shell("sed -i.bak -e '/CD_body /d' -e 's/CD_createdAt  *TIMESTAMP/CD_createdAt STRING/' \(path)")
    let found = try findings("check App --base moved", in: workspace).filter { $0.rule == "cloudkit-export-shrunk" }
    #expect(found.count == 2 && found.allSatisfy { $0.severity == "error" && $0.file == path }, "\(found)")
    #expect(found.contains { $0.message.contains("CD_Note.CD_body is gone") })
    #expect(found.contains { $0.message.contains("CD_Note.CD_createdAt is STRING, but was TIMESTAMP") })
  }

  @Test(
    "A change that production cannot follow is found in a draft, and in a version that the same change records",
    arguments: CorpusSample.of(
      [
        (#"/createdAt/s/"Date"/"String"/"#, "error", "was TIMESTAMP in v2 and is STRING now"),
        (
          #"/name="body"/s/attributeType/allowsCloudEncryption="YES" attributeType/"#, "error",
          "is ENCRYPTED STRING now"
        ),
        (#"/name="id"/s/"UUID"/"URI"/"#, "warning", "Note.id was UUID in v2 and is URI now"),
        (#"/name="folder"/s/maxCount="1"/toMany="YES"/"#, "warning", "Note.folder has another number of objects"),
        (#"s/entity name="Note"/entity name="Note" parentEntity="Folder"/"#, "error", "from the record type CD_Note"),
        (#"/name="id"/s/"UUID"/"String"/;/name="id"/s/name="id"/name="key"/"#, "", ""),
      ], atMost: 2))
  func retyped(_ edit: String, _ severity: String, _ words: String) throws {
    let workspace = try repository()
    try workspace.shell("sed -i.bak '\(edit)' App/Notes.xcdatamodeld/v3.xcdatamodel/contents")
    for line in ["check", "check --base before", "lock --allow-data-loss Note.id", "check --base before"] {
      guard line.hasPrefix("check") else {
        _ = try Modelctl.shell("modelctl \(line) || modelctl lock", in: workspace)
        continue
      }
      let found = try findings(line, in: workspace).filter { $0.rule == "cloudkit-model-retyped" }
      // Both sides of a relationship change.
      #expect(Set(found.map(\.severity)) == (severity.isEmpty ? [] : [severity]), "\(line): \(found)")
      #expect(severity.isEmpty || found.contains { $0.message.contains(words) }, "\(found)")
    }
  }

  @Test("An attribute of a released version that is encrypted in place is found beside the base")
  func encryptedInPlace() throws {
    let workspace = try repository()
    try workspace.shell("git checkout --quiet before && git clean --quiet -fdx App && git checkout --quiet .")
    try workspace.shell(
      #"sed -i.bak '/name="body"/s/attributeType/allowsCloudEncryption="YES" attributeType/' App/*/v2.xcdatamodel/contents"#
    )
    let found = try findings("check --base before", in: workspace).filter { $0.rule == "cloudkit-model-retyped" }
    #expect(found.map(\.severity) == ["error"], "\(found)")
  }

  @Test("The command after a comparison has the configuration, and is left out if it would add nothing")
  func next() throws {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    func model(_ type: String) -> String {
      "<model><entity name=\"A\"><attribute name=\"a\" optional=\"YES\" attributeType=\"\(type)\"/></entity>"
        + "<configuration name=\"My Cloud\"><memberEntity name=\"A\"/></configuration></model>"
    }
    try workspace.write(model("String"), to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.write("DEFINE SCHEMA\n", to: "s.ckdb")
    let missing = try workspace.shell("modelctl cloudkit diff v1 s.ckdb --configuration 'My Cloud'")
    let next = try #require(missing.components(separatedBy: "next:\n  ").last)
    #expect(next == "modelctl cloudkit schema v1 --configuration 'My Cloud' --merge s.ckdb", "\(missing)")
    try workspace.shell("\(next) --output s.ckdb")
    #expect(try workspace.shell("modelctl cloudkit diff v1 s.ckdb").hasSuffix("nothing to deploy"))
    try workspace.write(model("Date"), to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    #expect(try !workspace.shell("modelctl cloudkit diff v1 s.ckdb").contains("next:"))
  }

  @Test("An identifier of an earlier rename is silent, and a rename of an unreleased version is one error")
  func renames() throws {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    func model(_ attributes: String) -> String {
      "<model><entity \(attributes)><attribute name=\"a\" optional=\"YES\" attributeType=\"Date\"/></entity></model>"
    }
    try workspace.write(#"{ "cloudKit": {} }"#, to: ".modelctl.json")
    try workspace.write(model("name=\"A\""), to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.shell("modelctl edit current v1 --model M.xcdatamodeld && modelctl lock --all")
    for (version, count) in [("v2", 1), ("v3", 0)] {
      try workspace.write(
        model("name=\"B\" elementID=\"A\""), to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
      try workspace.shell("modelctl edit current \(version) --model M.xcdatamodeld")
      let found = try findings("check", in: workspace).filter { ($0.file ?? "").contains(version) }
      #expect(found.filter { $0.rule == "cloudkit-rename" }.count == count, "\(version): \(found)")
      _ = try Modelctl.shell("modelctl lock", in: workspace)
    }
  }

  @Test("Bundles that share a container share its export, and a bundle of no container is not checked")
  func containers() throws {
    let workspace = try SampleFolder(emptyNamed: "App")
    func model(_ entity: String, _ more: String = "") -> String {
      "<model><entity name=\"\(entity)\"><attribute name=\"a\" \(more)attributeType=\"String\"/></entity></model>"
    }
    for (name, more) in [("One", "optional=\"YES\" "), ("Two", "optional=\"YES\" "), ("Other", "")] {
      try workspace.write(model(name, more), to: "App/\(name).xcdatamodel/contents")
    }
    try workspace.shell(
      """
      modelctl cloudkit schema App/One.xcdatamodel -o a.ckdb \
      && modelctl cloudkit schema App/Two.xcdatamodel --merge a.ckdb -o a.ckdb
      """)
    let bundles = #""bundles": ["App/One.xcdatamodel", "App/Two.xcdatamodel"]"#
    try workspace.write("{ \"cloudKit\": { \"schema\": \"a.ckdb\", \(bundles) } }", to: ".modelctl.json")
    #expect(try findings("check", in: workspace) == [])
    // One container for each: what the other one fills is idle.
    try workspace.write(
      """
      { "cloudKit": [{ "schema": "a.ckdb", "bundles": ["App/One.xcdatamodel"] },
        { "bundles": ["App/Other.xcdatamodel"] }] }
      """, to: ".modelctl.json")
    #expect(Set(try findings("check", in: workspace).map(\.rule)) == ["cloudkit-field-idle", "cloudkit-required"])
    // The check of a part does not know what the rest fills.
    try workspace.shell("rm -r App/Other.xcdatamodel")
    try workspace.write(#"{ "cloudKit": { "schema": "a.ckdb" } }"#, to: ".modelctl.json")
    #expect(try findings("check App/One.xcdatamodel", in: workspace) == [])
    #expect(try findings("check", in: workspace) == [])
  }

  @Test("Without a configuration one note names a model that looks mirrored, and nothing is checked")
  func hint() throws {
    let workspace = try SampleFolder.mirrored()
    let result = try workspace.modelctl("check")
    #expect(result.status == 0 && result.standardError.contains("Notes: CloudKit may mirror"), "\(result)")
    try workspace.write(#"{ "cloudKit": {} }"#, to: ".modelctl.json")
    let silent = try workspace.modelctl("check")
    #expect(!silent.standardError.contains("may mirror") && silent.standardError.contains("xcrun cktool"), "\(silent)")
  }

  @Test(
    "A wrong configuration is an error at its place",
    arguments: CorpusSample.of(
      [
        (#"{ "schema": "gone.ckdb" }"#, "“gone.ckdb” does not exist"),
        (#"{ "schema": "" }"#, "the path of the export is empty or has a NUL"),
        (#"{ "environment": "test" }"#, "“test” is not an environment"),
        (#"{ "configuration": "Cloud" }"#, "has no configuration “Cloud”"),
        (#"{ "sharing": "yes" }"#, "expected a Boolean"), (#"{ "shema": "a" }"#, "shema"), (#"7"#, "object"),
        (#"{ "bundles": [""] }"#, "the path of a bundle is empty"),
        (#"{ "bundles": ["App/notes.xcdatamodeld"] }"#, "“App/notes.xcdatamodeld” is not a bundle here"),
        (#"{ "bundles": ["App/Notes.xcdatamodeld/v2.xcdatamodel"] }"#, "is not a bundle here"),
        (#"{ "schema": "App/schema.ckdb\u0000" }"#, "the path of the export is empty or has a NUL"),
      ], atMost: 3))
  func configuration(_ value: String, _ words: String) throws {
    let workspace = try SampleFolder.mirrored()
    try workspace.write("{ \"cloudKit\": \(value) }", to: ".modelctl.json")
    let result = try workspace.modelctl("check")
    #expect(result.status == 2 && result.standardError.contains("error: .modelctl.json:1:"), "\(result)")
    #expect(result.standardError.contains(words), "\(result)")
  }

  @Test(
    "An export that is none is one finding at its place, and nothing else is compared",
    arguments: CorpusSample.of(
      [
        "\n", "DEFINE", "DEFINE SCHEMA\n<<<<<<< HEAD\n", "DEFINE SCHEMA RECORD TYPE A ( a STRIN );",
        "DEFINE SCHEMA RECORD TYPE A ( a STRING, a STRING );", "DEFINE SCHEMA /* ", "DEFINE SCHEMA \u{0}",
        "DEFINE SCHEMA RECORD TYPE \"" + String(repeating: "a", count: 10_000),
      ], atMost: 3))
  func unreadable(_ text: String) throws {
    let workspace = try SampleFolder.mirrored()
    try workspace.write(#"{ "cloudKit": { "schema": "App/schema.ckdb" } }"#, to: ".modelctl.json")
    try workspace.write(text, to: "App/schema.ckdb")
    let found = try findings("check", in: workspace)
    #expect(Set(found.map(\.rule)) == ["cloudkit-export-unreadable"], "\(found)")
    #expect(found.allSatisfy { $0.file == "App/schema.ckdb" && $0.severity == "error" && $0.message.count < 500 })
  }

  @Test("init writes the path of an export once, beside other keys")
  func setup() throws {
    let workspace = try SampleFolder.mirrored()
    try workspace.write("{ \"exclude\": [\"Pods\"] }\n", to: ".modelctl.json")
    try workspace.shell("cd App && modelctl init --cloudkit schema.ckdb")
    let text = try workspace.shell("cat .modelctl.json")
    #expect(text == "{\n  \"cloudKit\": { \"schema\": \"App/schema.ckdb\" }, \"exclude\": [\"Pods\"] }", "\(text)")
    try workspace.shell("modelctl init --cloudkit App/schema.ckdb --migrated-by modelctl")
    #expect(try workspace.shell("cat .modelctl.json").components(separatedBy: "cloudKit").count == 2)
    for other in [#"{ "cloudKit": [] }"#, #"{ "cloudKit": { "sharing": true } }"#] {
      try workspace.write(other, to: ".modelctl.json")
      let result = try workspace.modelctl("init", "--cloudkit", "App/schema.ckdb")
      #expect(result.status == 0 && result.standardOutput.contains("has “cloudKit” already"), "\(result)")
      #expect(try workspace.shell("cat .modelctl.json") == other)
    }
    let missing = try workspace.modelctl("init", "--cloudkit", "gone.ckdb")
    #expect(missing.status == 2 && missing.standardError.contains("gone.ckdb"), "\(missing)")
  }

  @Test("On a terminal, init asks whether the only export is the schema of the stores")
  func question() throws {
    func asked(_ answers: String, exports: Int) throws -> (text: String, configuration: String) {
      let workspace = try SampleFolder.mirrored()
      if exports == 2 { try workspace.shell("cp App/schema.ckdb App/other.ckdb") }
      let result = try PseudoTerminal.run(
        ["init"], columns: 80, environment: ["TERM": "dumb"], input: answers, in: workspace)
      let path = workspace.url.appendingPathComponent(".modelctl.json")
      return (result.text, (try? String(contentsOf: path, encoding: .utf8)) ?? "")
    }
    let question = "Does CloudKit mirror your stores, and is App/schema.ckdb the schema of production?"
    // Four services, and who migrates the stores of users.
    let yes = try asked("\n\n\n\n\nyes\n\n", exports: 1)
    #expect(yes.text.contains(question) && yes.configuration.contains(#""schema": "App/schema.ckdb""#), "\(yes)")
    let no = try asked("\n\n\n\n\n\n\n", exports: 1)
    #expect(no.text.contains(question) && !no.configuration.contains("cloudKit"), "\(no)")
    let several = try asked("\n\n\n\n\nyes\n", exports: 2)
    #expect(!several.text.contains("CloudKit mirror") && !several.configuration.contains("cloudKit"), "\(several)")
  }

  /// A store that CloudKit mirrors, of the first of two versions; the second one renames its entity.
  private func mirroredStore() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "M.xcdatamodeld")
    func model(_ name: String, _ more: String) -> String {
      "<model><entity name=\"\(name)\"\(more)><attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/></entity></model>"
    }
    try workspace.write(model("A", ""), to: "M.xcdatamodeld/v1.xcdatamodel/contents")
    try workspace.shell("modelctl create a.sqlite --rows 3")
    try workspace.write(model("B", " elementID=\"A\""), to: "M.xcdatamodeld/v2.xcdatamodel/contents")
    try workspace.shell("modelctl edit current v2 --model M.xcdatamodeld")
    try DatabaseQueue(path: workspace.url.appendingPathComponent("a.sqlite").path).writeWithoutTransaction {
      try $0.execute(sql: "CREATE TABLE ANSCKEXPORTEDOBJECT (Z_PK INTEGER PRIMARY KEY)")
    }
    return workspace
  }

  @Test("status, verify, plan and migrate say that a store is mirrored, and refuse to rename its entity")
  func stores() throws {
    let workspace = try mirroredStore()
    for command in ["status a.sqlite", "verify a.sqlite"] {
      let result = try Modelctl.shell("modelctl \(command)", in: workspace)
      let words = (result.standardOutput + result.standardError).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(words.contains("CloudKit mirrors this store") && words.contains("docs/guides/cloudkit.md"), "\(result)")
    }
    for command in ["plan a.sqlite", "migrate a.sqlite", "migrate a.sqlite --dry-run"] {
      let result = try Modelctl.shell("modelctl \(command)", in: workspace)
      #expect(result.status == 2 && result.standardError.contains("refuses to rename A to B"), "\(result)")
      #expect(result.standardError.contains("NSCocoaErrorDomain 134060"), "\(result)")
    }
    for command in ["plan a.sqlite", "migrate a.sqlite"] {
      let result = try Modelctl.shell("modelctl \(command) --allow-cloudkit", in: workspace)
      #expect(result.status == 0, "\(result)")
      #expect(
        (result.standardOutput + result.standardError).contains("CloudKit mirrors this store"), "\(command): \(result)")
    }
    #expect(try workspace.shell("modelctl query a.sqlite B --count") == "3")
  }

  @Test(
    "The models of the corpus: each finding about an export is expected, and everything expected is found",
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.absence)))
  func corpus() throws {
    var (quiet, pairs, rules) = (0, 0, [String: Int]())
    for file in Corpus.files(in: "cloudkit", where: { $0 == "expected.tsv" }) {
      let folder = file.deletingLastPathComponent()
      let workspace = try SampleFolder(emptyNamed: "App")
      for name in ["Model.xcdatamodel", "export.ckdb"] {
        try FileManager.default.copyItem(
          at: folder.appendingPathComponent(name), to: workspace.url.appendingPathComponent(name))
      }
      try workspace.shell("chmod -R u+w .")
      try workspace.write(#"{ "cloudKit": { "schema": "export.ckdb" } }"#, to: ".modelctl.json")
      let found = try findings("check", in: workspace).filter { $0.severity != "note" }
      let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst()
        .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
      pairs += 1
      quiet += found.isEmpty ? 1 : 0
      for finding in found { rules[finding.rule, default: 0] += 1 }
      func names(_ kind: String) -> [String] { rows.filter { $0[0] == kind }.map { $0[1] } }
      let missing = found.filter { ["cloudkit-field-missing", "cloudkit-entity-name"].contains($0.rule) }
        .map(\.message)
      for name in names("missing in export") {
        let parts = name.split(separator: ".").map(String.init)
        #expect(missing.contains { $0.hasPrefix("\(parts[0]) lacks ") && $0.contains(parts[1]) }, "\(folder): \(name)")
      }
      #expect(names("missing in export").isEmpty == missing.isEmpty, "\(folder): \(missing)")
      let retyped = found.filter { $0.rule == "cloudkit-field-retyped" }.map(\.message)
      #expect(retyped.count == names("type differs").count, "\(folder): \(retyped)")
      let types = found.filter { $0.rule == "cloudkit-type-missing" }
      #expect(types.count == names("type missing in export").count, "\(folder): \(types)")
    }
    #expect(pairs > 5 && quiet > 0)
    print("CloudKit: \(pairs) pairs, \(quiet) quiet, findings: \(rules.sorted { $0.key < $1.key })")
  }
}
