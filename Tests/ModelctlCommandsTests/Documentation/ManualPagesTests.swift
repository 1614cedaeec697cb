import Foundation
import TestSupport
import Testing

@Suite("Manual pages and completions that a release brings")
struct ManualPagesTests {
  private static let script = Transcript.project.appendingPathComponent("scripts/man-pages").path

  @Test("Every command has a page with all of its options, without warnings of the formatter")
  func pages() throws {
    let workspace = try SampleFolder()
    let made = try Modelctl.shell("'\(Self.script)' \"$(command -v modelctl)\" man", in: workspace)
    #expect(made.status == 0, "\(made.standardError)")
    let commands = try HelpTests.commandPaths.get()
    #expect(commands.count > 15)
    for command in commands {
      let name = (["modelctl"] + command).joined(separator: "-")
      let page = try String(contentsOf: workspace.url.appendingPathComponent("man/\(name).1"), encoding: .utf8)
      let plain = page.replacing("\\-", with: "-").replacing("\\&", with: "")
      let help = try Modelctl.run(command + ["--help"], in: workspace).standardOutput
      let listed = help.split(separator: "\n").filter { $0.hasPrefix("  -") || $0.hasPrefix("  <") }
      #expect(!listed.isEmpty)
      for line in listed {
        let isFull = line.count > 26 && line.prefix(26).hasSuffix("> ")
        let label = (isFull ? line.prefix(25) : line).dropFirst(2).components(separatedBy: "  ")[0]
        #expect(plain.contains("\n.B \(label)\n"), "\(name): \(label)")
      }
      #expect(plain.hasPrefix(".TH \"\(name.uppercased())\" 1 "))
      for title in ["NAME", "SYNOPSIS", "EXAMPLES", "OPTIONS"] { #expect(plain.contains("\n.SH \(title)\n")) }
    }
    let pages = try FileManager.default.contentsOfDirectory(atPath: workspace.url.appendingPathComponent("man").path)
    #expect(pages.count == commands.count)
    let complaints = try Modelctl.shell(
      "command -v groff >/dev/null || exit 0; for page in man/*; do groff -man -ww -Tutf8 $page; done >/dev/null",
      in: workspace)
    #expect(complaints.status == 0 && complaints.standardError.isEmpty, "\(complaints.standardError)")
  }

  @Test("The shells complete every command", arguments: ["bash", "zsh", "fish"])
  func completions(_ shell: String) throws {
    let workspace = try SampleFolder()
    let script = try workspace.modelctl("--generate-completion-script", shell)
    #expect(script.status == 0)
    for command in try HelpTests.commandPaths.get().compactMap(\.last) {
      #expect(script.standardOutput.contains(command), "\(command)")
    }
  }

  @Test("A program that needs the libraries of Swift is not packed")
  func release() throws {
    let workspace = try SampleFolder()
    let needsSwift = try Modelctl.shell(
      "readelf -d \"$(command -v modelctl)\" | grep -q 'NEEDED.*libswift'", in: workspace)
    guard needsSwift.status == 0 else { return }
    let script = Transcript.project.appendingPathComponent("scripts/release").path
    let result = try Modelctl.shell("'\(script)' --program \"$(command -v modelctl)\" --output out", in: workspace)
    #expect(result.status == 2)
    #expect(result.standardError.contains("needs Swift's libraries"))
    #expect(!FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent("out").path))
  }
}
