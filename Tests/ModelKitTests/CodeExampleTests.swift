import Foundation
import ModelKit
import TestSupport
import Testing

@Suite("Swift in the documentation")
struct CodeExampleTests {
  /// The pages with programs, by their paths in the package: the blocks of a page are one program.
  static let pages: [String] = LinkTests.pages.filter { page in
    page != "docs/README.md" && (try? Self.program(in: page))?.contains("import ModelKit") == true
  }

  @Test("The examples of a page compile without a warning", arguments: pages)
  func compile(_ page: String) throws {
    let folder = try TemporaryFolder()
    let source = folder.url.appendingPathComponent("main.swift")
    try Self.program(in: page).write(to: source, atomically: true, encoding: .utf8)
    let result = try SwiftCompiler().check([source] + (page == Self.objects ? [Self.types(in: folder)] : []))
    #expect(result.status == 0, "\(page): \(result.output)")
  }

  private static let objects = "Sources/ModelKit/ModelKit.docc/OpeningAndSavingObjects.md"

  /// The types that the article about objects generates.
  private static func types(in folder: TemporaryFolder) throws -> URL {
    let version = try ModelBundle(at: SampleModels.path("Orders")).versions.last
    let model = try #require(version).load().model
    let types = try EntityTypeFiles(stored: EntityHierarchy(model), origin: "Orders")
    let file = folder.url.appendingPathComponent("Orders.swift")
    try types.joined(name: "Orders.swift").text.write(to: file, atomically: true, encoding: .utf8)
    return file
  }

  @Test("Every article about a task has an example")
  func complete() {
    let articles = LinkTests.pages.filter { $0.contains(".docc/") && !$0.hasSuffix("/ModelKit.md") }
    #expect(articles.count == 7)
    #expect(Set(articles).isSubset(of: Self.pages))
  }

  @Test("The article about models in code runs: a store is made, planned, migrated and found sound")
  func modelsInCode() throws {
    let lines = try Self.output(of: "Sources/ModelKit/ModelKit.docc/ModelsInCode.md")
    #expect(lines.first?.hasSuffix(" statements") == true)
    #expect(lines.contains("ALTER TABLE \"ZNOTE\" RENAME COLUMN \"ZTITLE\" TO \"ZHEADING\";"))
    #expect(lines.suffix(2) == ["v1 to v2, 3 notes", "sound"])
  }

  @Test("The article about rows runs: they are written as a sound store has them, with the derived value")
  func rows() throws {
    let lines = try Self.output(of: "Sources/ModelKit/ModelKit.docc/ReadingAndWritingRows.md")
    #expect(
      lines == [
        "ZAUTHOR: Z_PK Z_ENT Z_OPT ZBOOKCOUNT ZNAME",
        "ZBOOK: Z_PK Z_ENT Z_OPT ZISREAD ZAUTHOR ZPUBLISHED ZTITLE ZID",
        "Jane Austen: 1",
      ])
  }

  @Test("The article about objects runs: a store of version 1 is opened at version 6, written to and sound")
  func objects() throws {
    // Code outside of functions that waits would be asynchronous as a whole.
    let wait = """
      let end = DispatchSemaphore(value: 0)
      Task.detached {
        do { try await renumber(store) } catch { print(error) }
        end.signal()
      }
      end.wait()
      """
    let page = try Self.program(in: Self.objects)
    let program = "import Dispatch\nimport ModelKit\n\(Self.madeStore("shop.sqlite"))\n\(page)\n\(wait)"
    let output = try Self.output(of: program, withTypes: true) { folder in try Self.copyModels(to: folder) }
    #expect(output.first?.hasPrefix(#"migrated(from: "v1", to: "v6", backup: "#) == true)
    #expect(
      output.dropFirst() == [
        "7 EUR",
        "1",
        "Anna Karenina 0", "name 1ciw 1", "name 3pio 1", "name 21dg 1",
        "[80]",
        "1570 a new Customer has no fullName, and fullName is not optional",
        "1570 a new Customer has no registrationDate, and registrationDate is not optional",
        "1570 a new Customer has no searchName, and searchName is not optional",
        #"["Bert", "Anna Karenina"]"#,
      ])
  }

  @Test("The three lines of the article about servers run: a store of version 1 is identified and migrated")
  func threeLines() throws {
    let page = "Sources/ModelKit/ModelKit.docc/EmbeddingInAServer.md"
    let lines = try Self.blocks(in: page)[0].map(String.init)
    #expect(lines.filter { !$0.isEmpty && !$0.hasPrefix("import ") }.count == 3)
    let make = Self.madeStore("store.sqlite")
    let show = #"print(target.source?.version?.name ?? "none", outcome.from, outcome.to, target.destination.name)"#
    let output = try Self.output(of: (["import ModelKit", make] + lines + [show]).joined(separator: "\n")) { folder in
      try Self.copyModels(to: folder)
    }
    #expect(output.last == "v1 v1 v6 v6")
  }

  /// Lines that make a store of the first version.
  private static func madeStore(_ path: String) -> String {
    """
    let first = try Workspace(at: "Models/Orders.xcdatamodeld").load().versions[0]
    try StoreCreator(of: first.hierarchy).create(at: "\(path)", filling: SyntheticRows(seed: 1, rowsPerEntity: 3))
    """
  }

  private static func copyModels(to folder: TemporaryFolder) throws {
    for name in ["Models", "Migrations"] {
      try FileManager.default.copyItem(
        at: Transcript.project.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
    }
  }

  @Test("The examples of types compile without a warning; the types that programs use have one and topics")
  func examplesOfTypes() throws {
    var examples: [String] = []
    var documented: Set<String> = []
    let sources = Transcript.project.appendingPathComponent("Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for comment in text.matches(
        of: /(?:^\/\/\/.*\n)+^public (?:final )?(?:struct|class) (\w+)/.anchorsMatchLineEndings())
      {
        let lines = comment.output.0.split(separator: "\n").map { $0.dropFirst($0.hasPrefix("/// ") ? 4 : 3) }
        guard let begin = lines.firstIndex(of: "```swift"), let end = lines[begin...].firstIndex(of: "```") else {
          continue
        }
        examples.append(
          "func example\(examples.count)() throws {\n\(lines[(begin + 1)..<end].joined(separator: "\n"))\n}")
        if lines.contains("## Topics") { documented.insert(String(comment.output.1)) }
      }
    }
    #expect(
      documented.isSuperset(of: [
        "StoreMigrator", "MigrationRequest", "ModelDifference", "EntityHierarchy", "CheckRun", "Finding", "Rule",
        "StoreReader", "MigrationPlan", "DifferenceReport", "ModelBundle", "Workspace",
      ]))
    let folder = try TemporaryFolder()
    let source = folder.url.appendingPathComponent("main.swift")
    try (["import ModelKit"] + examples).joined(separator: "\n\n").write(to: source, atomically: true, encoding: .utf8)
    let result = try SwiftCompiler().check([source])
    #expect(result.status == 0, "\(result.output)")
  }

  /// The lines that the program of a page prints.
  private static func output(of page: String) throws -> [Substring] {
    try output(of: program(in: page)) { _ in }
  }

  /// The lines that a program prints, run in a folder that is prepared for it.
  private static func output(
    of program: String, withTypes: Bool = false, in prepare: (TemporaryFolder) throws -> Void
  ) throws -> [Substring] {
    let folder = try TemporaryFolder()
    try prepare(folder)
    let source = folder.url.appendingPathComponent("main.swift")
    try program.write(to: source, atomically: true, encoding: .utf8)
    let result = try SwiftCompiler().run([source] + (withTypes ? [types(in: folder)] : []), in: folder)
    #expect(result.status == 0, "\(result.output)")
    return result.output.split(separator: "\n")
  }

  private static func program(in page: String) throws -> String {
    try blocks(in: page).joined().joined(separator: "\n") + "\n"
  }

  /// The lines of each block of Swift in a page.
  private static func blocks(in page: String) throws -> [[Substring]] {
    let text = try String(contentsOf: Transcript.project.appendingPathComponent(page), encoding: .utf8)
    var blocks: [[Substring]] = []
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode = line == "```swift"
        if isCode { blocks.append([]) }
      } else if isCode {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }
}
