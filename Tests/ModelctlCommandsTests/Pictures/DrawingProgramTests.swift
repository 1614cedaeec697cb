import Foundation
import TestSupport
import Testing

@Suite("The program that draws")
struct DrawingProgramTests {
  @Test("Without Graphviz a picture is refused with the package's name, and the page has its text")
  func withoutGraphviz() throws {
    let workspace = try SampleFolder()
    try FileManager.default.createDirectory(
      at: workspace.url.appendingPathComponent("bin"), withIntermediateDirectories: true)
    let path = ["PATH": workspace.url.appendingPathComponent("bin").path]
    for form in ["svg", "png"] {
      let result = try Modelctl.shell(
        "\(try Modelctl.program().path) diagram Todo@v2 --format \(form)=out", environment: path, in: workspace)
      #expect(result.status == 2)
      #expect(result.standardError.hasPrefix("error: Graphviz is needed to draw the picture"))
      #expect(result.standardError.contains("apt-get install graphviz"))
      #expect(!FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent("out").path))
    }
    let page = try Modelctl.shell(
      "\(try Modelctl.program().path) diagram Todo@v2 --html", environment: path, in: workspace)
    #expect(page.status == 0)
    #expect(page.standardError.hasPrefix("warning: the page has no picture: Graphviz is needed"))
    let structure = try PageStructure(page.standardOutput)
    #expect(structure.faults == [] && structure.elements("svg").isEmpty)
    #expect(page.standardOutput.contains("install the package graphviz"))
    #expect(page.standardOutput.contains("attribute dueDate, Date, optional"))
  }

  /// Runs `diagram` with a program in the place of `dot`.
  private func drawn(by script: String, _ arguments: String, in workspace: SampleFolder) throws -> Modelctl.Result {
    try Modelctl.shell("modelctl diagram \(arguments)", environment: try path(script, in: workspace), in: workspace)
  }

  private func path(_ script: String, in workspace: SampleFolder) throws -> [String: String] {
    try workspace.write("#!/bin/sh\n\(script)\n", to: "bin/dot")
    let path = workspace.url.appendingPathComponent("bin").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(path)/dot")
    return ["PATH": "\(path):\(try #require(Modelctl.folder).path):/usr/bin:/bin"]
  }

  @Test("A bitmap that had to be made smaller is refused, other warnings are passed on")
  func warnings() throws {
    let workspace = try SampleFolder()
    let large = "dot: graph is too large for cairo-renderer bitmaps. Scaling by 0.27 to fit"
    let refused = try drawn(by: "echo '\(large)' >&2; echo picture", "Todo@v2 --format png=out.png", in: workspace)
    #expect(refused.status == 2)
    #expect(
      refused.standardError == """
        error: the picture is too large for a bitmap (\(large))
          Choose a vector format: --format svg; or draw fewer entities: --entity NAME

        """)
    #expect(!FileManager.default.fileExists(atPath: workspace.url.appendingPathComponent("out.png").path))
    let warned = try drawn(
      by: "for n in 1 1 2 3 4 5 6 7; do echo \"Warning: $n\" >&2; done; echo picture", "Todo@v2 --format png=out.png",
      in: workspace)
    #expect(warned.status == 0)
    #expect(
      warned.standardError
        == (1...5).map { "warning: Graphviz: Warning: \($0)\n" }.joined() + "warning: Graphviz: 2 more warnings\n"
        + "out.png: written\n")
  }

  @Test(
    "Ending the program also ends the drawing program, without leftover files",
    arguments: EndingSignal.all, ["svg=out.svg", "html=out.html"])
  func interrupted(_ signal: Int32, _ form: String) throws {
    let workspace = try SampleFolder()
    try workspace.write("", to: "Temporary/.keep")
    let environment = try path("echo $$ > started.new; mv started.new started; exec sleep 50", in: workspace)
    let process = try Modelctl.start(
      ["diagram", "Todo@v2", "--format", form], environment: environment, in: workspace, temporaryFolder: "Temporary")
    let started = workspace.url.appendingPathComponent("started")
    while process.isRunning, !FileManager.default.fileExists(atPath: started.path) { usleep(1000) }
    let text = String(decoding: try Data(contentsOf: started), as: UTF8.self)
    let drawing = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(drawing, 0) == 0)
    #expect(kill(process.processIdentifier, signal) == 0)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130 && process.terminationReason == .exit)
    #expect(kill(drawing, 0) != 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.url.path)
    #expect(!names.contains { $0.hasPrefix("out.") })
    let temporary = workspace.url.appendingPathComponent("Temporary").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [".keep"])
  }

  @Test(
    "A drawing program that fails or has no result is reported", arguments: ["exit 3", "echo oops >&2; exit 1", "true"])
  func badProgram(_ script: String) throws {
    let workspace = try SampleFolder()
    try workspace.write("#!/bin/sh\n\(script)\n", to: "bin/dot")
    let path = workspace.url.appendingPathComponent("bin").path
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(path)/dot")
    let folder = try #require(Modelctl.folder).path
    let result = try Modelctl.shell(
      "modelctl diagram Todo@v2 --format svg", environment: ["PATH": "\(path):\(folder):/usr/bin:/bin"], in: workspace)
    #expect(result.status == 2 && result.standardOutput.isEmpty)
    #expect(result.standardError.hasPrefix("error: Graphviz could not draw the picture: "))
  }
}
