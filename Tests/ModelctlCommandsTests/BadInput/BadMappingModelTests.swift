import Foundation
import TestSupport
import Testing

/// Unreadable mapping models in a project: they stop nothing else, and each is named once.
@Suite("A check beside mapping models that are cut off, or a gigabyte")
struct BadMappingModelTests {
  private func project() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Migrations")
    let fixture = Transcript.firstChecks.appendingPathComponent("policy-class")
    for name in ["Shop.xcdatamodeld", "v1-v2.xcmappingmodel"] {
      try FileManager.default.copyItem(
        at: fixture.appendingPathComponent(name), to: workspace.url.appendingPathComponent(name))
    }
    return workspace
  }

  /// A file of a gigabyte that takes no room on the disk.
  private func makeGigabyte(_ name: String, in workspace: SampleFolder) throws {
    try workspace.write("<?xml version=\"1.0\"?><database>", to: name)
    let file = try FileHandle(forWritingTo: workspace.url.appendingPathComponent(name))
    try file.truncate(atOffset: 1 << 30)
    try file.close()
  }

  @Test(
    "A gigabyte is one finding, and quick",
    arguments: ["Big.xcmappingmodel/xcmapping.xml", "Big.cdm", "Migrations/Shop/big.xml"])
  func gigabyte(_ name: String) throws {
    let workspace = try project()
    try makeGigabyte(name, in: workspace)
    let check = "modelctl lock --all Shop.xcdatamodeld >&2; ulimit -t 20; modelctl check"
    let result = try Modelctl.shell(check, in: workspace)
    #expect(result.status == 1)
    #expect(
      result.standardOutput
        == "\(name):1:1: error: its size in bytes exceeds the limit of 16777216 [mapping-unreadable]\n")
    for command in ["matrix Shop.xcdatamodeld", "mapping check"] {
      let result = try Modelctl.shell("modelctl \(command)", in: workspace)
      #expect(result.status == 2)
      let lines = result.standardError.split(separator: "\n").filter { $0.contains("Big") || $0.contains("big") }
      #expect(lines.count == 1)
      #expect(lines.first?.hasPrefix("error: \(name): its size in bytes exceeds the limit of 16777216") == true)
    }
  }

  @Test("One that is cut off anywhere is one finding at its place", arguments: [1, 40, 700, 3_000])
  func cutOff(_ count: Int) throws {
    let workspace = try project()
    let whole = try Data(
      contentsOf: workspace.url.appendingPathComponent("v1-v2.xcmappingmodel/xcmapping.xml"))
    try #require(whole.count > count)
    let name = "Cut.xcmappingmodel/xcmapping.xml"
    try workspace.write(String(decoding: whole.prefix(count), as: UTF8.self), to: name)
    let result = try Modelctl.shell("modelctl lock --all Shop.xcdatamodeld >&2; modelctl check", in: workspace)
    #expect(result.status == 1)
    let findings = result.standardOutput.split(separator: "\n").filter { $0.contains("[mapping-") }
    #expect(findings.count == 1)
    #expect(findings.first?.hasPrefix("\(name):") == true)
    #expect(findings.first?.contains("error: ") == true)
    #expect(findings.first?.hasSuffix("[mapping-unreadable]") == true)
    #expect(!(findings.first?.dropFirst(name.count).contains(name) ?? true), "the place is said once")
  }
}
