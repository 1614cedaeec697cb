import Foundation
import Testing

@Suite("What cannot be compared or rehearsed is refused with its place and what to try")
struct BadBundleTests {
  @Test("A bundle that is not there, one without versions, and versions that are not in it")
  func bundles() throws {
    let workspace = try SampleFolder()
    try workspace.write("", to: "Bare.xcdatamodeld/.keep")
    try workspace.write("", to: "Empty/.keep")
    for command in ["matrix", "rehearse"] {
      try Refusal.expect(
        [command, "--model", "Gone.xcdatamodeld"], says: ["Gone.xcdatamodeld: cannot be read: there is no such file"],
        in: workspace)
      try Refusal.expect(
        [command, "--model", "Bare.xcdatamodeld"], says: ["Bare.xcdatamodeld: the bundle holds no model version"],
        in: workspace)
      try Refusal.expect([command, "--model", "Empty"], says: ["no model bundle", "under Empty"], in: workspace)
    }
    try Refusal.expect(["matrix", "Empty"], says: ["no model bundle", "under Empty"], in: workspace)
    for option in ["--from", "--to"] {
      try Refusal.expect(
        ["rehearse", "--model", "Models/Orders.xcdatamodeld", option, "v9"],
        says: ["Models/Orders.xcdatamodeld: has no version “v9”; did you mean “v1”"], in: workspace)
    }
    try Refusal.expect(["rehearse", "--to", "v2"], says: ["there are several model bundles"], in: workspace)
  }

  @Test("Of many bundles the first five are named")
  func manyBundles() throws {
    let workspace = try SampleFolder()
    for number in 10...29 {
      try workspace.write("<model/>", to: "Many/M\(number).xcdatamodeld/v1.xcdatamodel/contents")
    }
    try Refusal.expect(
      ["show", "--model", "Many"],
      says: ["Many/M14.xcdatamodeld and 15 more; name one with --model PATH"], in: workspace)
  }

  @Test("A mapping model that cannot be read, and a folder to keep that is in use")
  func surroundings() throws {
    let workspace = try SampleFolder()
    try workspace.write("<mappingModel", to: "Migrations/Orders/v1-v2.xml")
    for command in ["matrix", "rehearse"] {
      try Refusal.expect(
        [command, "--model", "Models/Orders.xcdatamodeld"], says: ["Migrations/Orders/v1-v2.xml:1:"], in: workspace)
    }
    try Refusal.expect(
      ["rehearse", "--model", "Models/Todo.xcdatamodeld", "--keep", "Models"],
      says: ["Models: cannot be written: the folder is not empty"], in: workspace)
  }

  @Test("A version of the bundle that is no model is left out of the pairs, and said so")
  func brokenVersion() throws {
    let workspace = try SampleFolder()
    try workspace.write("<model>", to: "Models/Todo.xcdatamodeld/v3.xcdatamodel/contents")
    let result = try workspace.modelctl("matrix", "Models/Todo.xcdatamodeld")
    #expect(result.status == 0)
    #expect(result.standardError.hasPrefix("warning: left out: Models/Todo.xcdatamodeld/v3.xcdatamodel/contents:1:8"))
    #expect(result.standardOutput.hasSuffix("from v1\n  lightweight: v2\n"))
  }
}
