import Foundation
import TestSupport
import Testing

@Suite("A bundle that cannot be compared or rehearsed is refused with its location and advice")
struct BadBundleTests {
  @Test("A bundle that is not there, one without versions, and versions that are not in it")
  func bundles() throws {
    let workspace = try SampleFolder()
    try workspace.write("", to: "Bare.xcdatamodeld/.keep")
    try workspace.write("", to: "Empty/.keep")
    for command in ["matrix", "rehearse"] {
      try Refusal.expect(
        [command, "--model", "Gone.xcdatamodeld"],
        says: ["error: Gone.xcdatamodeld: there is no such file or folder\n"], in: workspace)
      try Refusal.expect(
        [command, "--model", "Bare.xcdatamodeld"], says: ["Bare.xcdatamodeld: the bundle contains no model version"],
        in: workspace)
      try Refusal.expect([command, "--model", "Empty"], says: ["no model bundle", "under Empty"], in: workspace)
    }
    try Refusal.expect(["matrix", "Empty"], says: ["no model bundle", "under Empty"], in: workspace)
    for option in ["--from", "--to"] {
      try Refusal.expect(
        ["rehearse", "--model", "Models/Orders.xcdatamodeld", option, "v9"],
        says: ["Models/Orders.xcdatamodeld has no version “v9”; nearest: v6"], in: workspace)
    }
    try Refusal.expect(
      ["rehearse", "--to", "v2"], says: ["error: there are several model bundles here: "], in: workspace)
  }

  @Test("The first five of many bundles are named")
  func manyBundles() throws {
    let workspace = try SampleFolder()
    for number in 10...29 {
      try workspace.write("<model/>", to: "Many/M\(number).xcdatamodeld/v1.xcdatamodel/contents")
    }
    try Refusal.expect(
      ["show", "--model", "Many"],
      says: ["Many/M14.xcdatamodeld and 15 more", "Name one: --model PATH"], in: workspace)
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

  @Test("A version that is not a model is left out of the pairs, and reported")
  func brokenVersion() throws {
    let workspace = try SampleFolder()
    try workspace.write("<model>", to: "Models/Todo.xcdatamodeld/v3.xcdatamodel/contents")
    let result = try workspace.modelctl("matrix", "Models/Todo.xcdatamodeld")
    #expect(result.status == 0)
    #expect(result.standardError.hasPrefix("warning: skipped: Models/Todo.xcdatamodeld/v3.xcdatamodel/contents:1:8"))
    #expect(result.standardOutput.hasSuffix("from v1\n  lightweight: v2\n"))
  }

  @Test("An old version that is not a model is not rehearsed and not paired, and both commands fail")
  func brokenOldVersion() throws {
    let workspace = try SampleFolder()
    try workspace.write("<model>", to: "Models/Todo.xcdatamodeld/v1.xcdatamodel/contents")
    let error = """
      error: modelctl cannot use v1 of Models/Todo.xcdatamodeld, so it knows nothing about stores of this version
        See the cause:
          modelctl check Models/Todo.xcdatamodeld

      """
    let model = ["--model", "Models/Todo.xcdatamodeld"]
    let rehearsal = try Modelctl.run(["rehearse"] + model, in: workspace)
    #expect(rehearsal.status == 2)
    #expect(rehearsal.standardError.hasSuffix(error), "\(rehearsal.standardError)")
    #expect(rehearsal.standardOutput.contains("to v2\n  v1: not rehearsed, because it cannot be used\n\n0 versions"))
    let document = try Modelctl.run(["rehearse", "--format", "json"] + model, in: workspace)
    #expect(document.status == 2)
    #expect(document.standardOutput.contains("\"unusable\" : [\n        \"v1\"\n      ]"), "\(document.standardOutput)")
    let matrix = try Modelctl.run(["matrix", "--exit-code"] + model, in: workspace)
    #expect(matrix.status == 2 && matrix.standardOutput.contains("0 pairs"))
    #expect(matrix.standardError.hasSuffix(error), "\(matrix.standardError)")
  }

  @Test("A bundle without a single version that is a model is among those that are rehearsed")
  func brokenBundle() throws {
    let workspace = try SampleFolder()
    try workspace.shell("cd Models && rm -r Orders.xcdatamodeld Staff.xcdatamodeld Family.xcdatamodeld")
    try workspace.write("<model>", to: "Broken.xcdatamodeld/v1.xcdatamodel/contents")
    for command in ["rehearse --rows 2", "matrix --exit-code"] {
      let result = try Modelctl.run(command.split(separator: " ").map(String.init), in: workspace)
      #expect(result.status == 2 && result.standardOutput.contains("Models/Todo.xcdatamodeld"), "\(command): \(result)")
      #expect(result.standardError.contains("error: modelctl cannot use v1 of Broken.xcdatamodeld"), "\(command)")
    }
    let named = try workspace.modelctl("rehearse", "--model", "Models/Todo.xcdatamodeld", "--rows", "2")
    #expect(named.status == 0, "\(named)")
  }
}
