import Foundation
import ModelChecks
import Reports
import TestSupport

/// `check` of a bundle whose newest version is the input.
enum BundleTarget {
  static func run(_ data: Data) throws {
    try FuzzFolder.with { folder in
      let bundle = URL(fileURLWithPath: folder).appendingPathComponent("Todo.xcdatamodeld")
      try FileManager.default.copyItem(at: URL(fileURLWithPath: SampleModels.path("Todo")), to: bundle)
      let version = bundle.appendingPathComponent("v3.xcdatamodel")
      try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
      try data.write(to: version.appendingPathComponent("contents"))
      let project = CheckedProject.load(paths: [bundle.path])
      let run = CheckRun(project)
      _ = project.errors.map { "\($0)" } + run.suppressionErrors().map { "\($0)" }
      let findings = run.findings()
      _ = try FindingReport(findings).text + JSONText.encode(FindingReport(findings))
    }
  }
}
