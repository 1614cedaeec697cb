import Foundation
import TestSupport
import Testing

/// `scripts/site` on a small project.
@Suite("The site of the documentation")
struct SiteTests {
  private static let project = Transcript.project.path
  private let workspace: SampleFolder

  /// The script installs cmark-gfm; tests do not.
  private static let hasTools =
    (try? SampleFolder(emptyNamed: "tools")).flatMap {
      try? Modelctl.shell("command -v cmark-gfm && command -v python3", in: $0)
    }?.status == 0

  init() throws {
    workspace = try SampleFolder(emptyNamed: "scripts")
    try workspace.shell(
      "cp '\(Self.project)/scripts/site' scripts/ && mkdir packaging && cp -R '\(Self.project)/packaging/site' packaging/"
    )
    try workspace.write("# modelctl\n\n[All](docs/README.md) and [data](docs/data.json)\n", to: "README.md")
    try workspace.write("# Changelog\n", to: "CHANGELOG.md")
    try workspace.write("{}\n", to: "docs/data.json")
    try workspace.write(
      "# Documentation\n\n- [Last](last/page.md#a--b)\n- [First](first/page.md)\n", to: "docs/README.md")
    try workspace.write("# Page <one>\n\n## A & b\n\n| a |\n| --- |\n| `-x --long` |\n", to: "docs/last/page.md")
    try workspace.write("# Other\n\n[Code](../../Sources/Kit.docc/Kit.md)\n", to: "docs/first/page.md")
    try workspace.write("# Kit\n\nSee <doc:More>.\n", to: "Sources/Kit.docc/Kit.md")
    try workspace.write("# More of it\n", to: "Sources/Kit.docc/More.md")
  }

  private func build() throws -> Modelctl.Result { try Modelctl.shell("scripts/site", in: workspace) }

  private func page(_ name: String) throws -> String {
    try String(contentsOf: workspace.url.appendingPathComponent(".build/site/\(name)"), encoding: .utf8)
  }

  @Test(
    "Each page has a language, a title, landmarks, a link that skips to the content, and no request elsewhere",
    .enabled(if: hasTools))
  func pages() throws {
    let result = try build()
    #expect(result.status == 0, "\(result)")
    for name in ["index", "docs/index", "docs/last/page", "docs/first/page", "Sources/Kit.docc/Kit", "CHANGELOG"] {
      let text = try page("\(name).html")
      for piece in [
        "<html lang=\"en\"", "<header>", "<nav id=\"pages\" aria-label", "<main id=\"content\"",
        "<a class=\"skip\" href=\"#content\">", "default-src 'none'",
      ] { #expect(text.contains(piece), "\(name): \(piece)") }
      #expect(!text.contains("http://") && !text.contains("https://"), "\(name)")
      #expect(text.components(separatedBy: "<h1").count == 2, "\(name)")
    }
    #expect(try page("index.html").contains("<title>modelctl</title>"))
    #expect(try page("index.html").contains("href=\"docs/data.json\""))
    #expect(try page("docs/data.json") == "{}\n")
    #expect(try page("docs/index.html").contains("href=\"last/page.html#a--b\""))
    #expect(try page("Sources/Kit.docc/Kit.html").contains("<a href=\"More.html\">More of it</a>"))
    #expect(try page("docs/last/page.html").contains("aria-label=\"A &amp; b: table\""))
    #expect(try page("search-index.js").contains("docs/last/page.html#a--b"))
  }

  @Test("The list of pages has the folders in the order of the links", .enabled(if: hasTools))
  func navigation() throws {
    _ = try build()
    let text = try page("docs/first/page.html")
    let groups = text.matches(of: /<summary>([^<]*)<\/summary>/).map { String($0.1) }
    #expect(groups == ["Last", "First", "Documentation", "The library", "Project"])
    #expect(text.contains("<details open><summary>First</summary>"))
    #expect(text.contains("<a href=\"page.html\" aria-current=\"page\">Other</a>"))
  }

  @Test("A diagram is kept as text, and its title and description can be read", .enabled(if: hasTools))
  func diagram() throws {
    let lines = "flowchart TD\n  accTitle: Parts\n  accDescr: Two parts\n  a --> b"
    try workspace.write("# Other\n\n```mermaid\n\(lines)\n```\n", to: "docs/first/page.md")
    _ = try build()
    let text = try page("docs/first/page.html")
    #expect(text.contains("<figcaption>Parts. Two parts.</figcaption><pre class=\"mermaid\">flowchart TD\n"), "\(text)")
  }

  @Test(
    "A link without a target, and a page without a title, stop the build", .enabled(if: hasTools),
    arguments: [
      (
        "# Other\n\n[Gone](gone.md)\n",
        "docs/first/page.md: the link gone.md has no target; there is no docs/first/gone.md"
      ),
      (
        "# Other\n\n[Gone](../last/page.md#gone)\n",
        "docs/first/page.md: the link ../last/page.md#gone has no target; docs/last/page.md has no such heading"
      ),
      ("# Other\n\n[Gone](../../../x.md)\n", "docs/first/page.md: the link ../../../x.md has no target"),
      ("Text\n", "docs/first/page.md: the page has no title"),
    ])
  func faults(markdown: String, message: String) throws {
    try workspace.write(markdown, to: "docs/first/page.md")
    let result = try build()
    #expect(result.status == 1 && result.standardError.contains("error: \(message)"), "\(result)")
    #expect(!FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent(".build/site").path))
  }

  @Test("A folder that has something else is not replaced", .enabled(if: hasTools))
  func output() throws {
    try workspace.write("mine", to: ".build/site/notes")
    let result = try build()
    #expect(result.status == 2 && result.standardError.contains("name a folder that is new or empty"), "\(result)")
    #expect(try page("notes") == "mine")
  }
}

/// `scripts/pictures`, whose sessions the tests of the documentation replay.
@Suite("The pictures of terminal sessions")
struct PictureTests {
  private static let hasPython =
    (try? Modelctl.shell("command -v python3", in: SampleFolder(emptyNamed: "tools")))?.status == 0

  @Test("They are current, and a changed page or a page without the session is found", .enabled(if: hasPython))
  func current() throws {
    let workspace = try SampleFolder(emptyNamed: "pictures")
    try workspace.shell("mkdir scripts docs && cp '\(Transcript.project.path)/scripts/pictures' scripts/")
    try workspace.shell(
      "cp -R '\(Transcript.project.path)/docs/start' '\(Transcript.project.path)/docs/pictures' docs/")
    let current = try Modelctl.shell("scripts/pictures --check", in: workspace)
    #expect(current.status == 0 && current.standardError.isEmpty, "\(current)")

    try workspace.shell("sed -i.bak 's/1 error; failed/2 errors; failed/' docs/start/first-check.md")
    let changed = try Modelctl.shell("scripts/pictures --check", in: workspace)
    #expect(changed.status == 1 && changed.standardError.contains("run: scripts/pictures"), "\(changed)")
    try workspace.shell(
      "scripts/pictures && scripts/pictures --check && grep -q '2 errors; failed' docs/pictures/first-check.svg")

    try workspace.write("# Your first check\n", to: "docs/start/first-check.md")
    let lost = try Modelctl.shell("scripts/pictures", in: workspace)
    #expect(lost.status == 2 && lost.standardError.contains("there is no console block"), "\(lost)")
  }
}
