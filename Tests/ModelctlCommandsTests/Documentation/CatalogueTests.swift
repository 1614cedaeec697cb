import Foundation
import TestSupport
import Testing

@Suite("The library's documentation", .enabled(if: !SlowBuild.isOn, "once is enough"))
struct CatalogueTests {
  /// The modules that the library consists of, as the umbrella lists them.
  static let modules: [String] = {
    let umbrella = Transcript.project.appendingPathComponent("Sources/ModelKit/ModelKit.swift")
    let text = (try? String(contentsOf: umbrella, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) } + ["ModelKit"]
  }()

  @Test("DocC takes a module's comments and articles without a warning", arguments: CorpusSample.of(modules, atMost: 3))
  func noWarning(_ module: String) throws {
    let folder = try TemporaryFolder()
    let target = try Self.target()
    let extraction = try SwiftCompiler.run(
      "swift",
      ["symbolgraph-extract", "-module-name", module, "-target", target, "-minimum-access-level", "public"]
        + SwiftCompiler().moduleOptions + ["-output-dir", folder.url.path])
    #expect(extraction.status == 0, "\(extraction.output)")
    let catalogue = Transcript.project.appendingPathComponent("Sources/\(module)/\(module).docc").path
    let isThere = FileManager.default.fileExists(atPath: catalogue)
    let conversion = try SwiftCompiler.run(
      "docc",
      ["convert"] + (isThere ? [catalogue] : []) + [
        "--fallback-display-name", module, "--fallback-bundle-identifier", module,
        "--additional-symbol-graph-dir", folder.url.path, "--output-path", folder.path("\(module).doccarchive"),
      ])
    #expect(conversion.status == 0, "\(conversion.output)")
    // A comment leaves out the parameters that the signature explains, and DocC has no setting for that.
    let warnings = conversion.output.split(separator: "\n").filter { line in
      (line.contains("warning: ") || line.contains("error: "))
        && !line.contains(/Parameter '.+' is missing documentation/)
    }
    #expect(warnings.isEmpty, "\(conversion.output)")
  }

  @Test("All modules are documented")
  func complete() {
    #expect(Self.modules.count == 18)
  }

  /// The platform that the compiler compiles for.
  private static func target() throws -> String {
    let answer = Data(try SwiftCompiler.run("swiftc", ["-print-target-info"]).output.utf8)
    struct Info: Decodable {
      struct Target: Decodable { let triple: String }
      let target: Target
    }
    return try JSONDecoder().decode(Info.self, from: answer).target.triple
  }
}
