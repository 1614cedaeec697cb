import TestSupport
#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("A command reads each model and each mapping model once")
  struct FileReadingTests {
    /// Every model and mapping model of the samples.
    private static func files(in workspace: SampleFolder) throws -> [String] {
      let names = FileManager.default.enumerator(atPath: workspace.url.path)?.compactMap { $0 as? String } ?? []
      return names.filter { $0.hasSuffix("/contents") || $0.hasSuffix(".xml") }
        .map { workspace.url.appendingPathComponent($0).path }
    }

    @Test(
      "Each file is opened at most once",
      arguments: [
        ["check"], ["lock", "--all", "Models/Orders.xcdatamodeld"], ["matrix", "Models/Orders.xcdatamodeld"],
        ["mapping", "check"], ["check", "--format", "json"],
      ])
    func once(_ arguments: [String]) throws {
      let workspace = try SampleFolder()
      try? FileManager.default.removeItem(at: workspace.url.appendingPathComponent("Models/Orders.lock.json"))
      // A finding quotes its file's line, for which the file is read again.
      try workspace.write(#"{"migratedBy": "modelctl"}"#, to: ".modelctl.json")
      let opened = try OpenedFiles(try Self.files(in: workspace))
      let result = try Modelctl.run(arguments, in: workspace)
      #expect([0, 1].contains(result.status), "\(result.standardError)")
      let counts = opened.counts()
      #expect(counts.keys.contains { $0.hasSuffix("/contents") } && !counts.isEmpty)
      #expect(counts.filter { $0.value > 1 } == [:])
    }
  }
#endif
