import Foundation
import TestSupport
import Testing

@Suite("export gives a version with the hashes of its source")
struct ExportTests {
  private static func hashes(_ model: String, in workspace: Workspace) throws -> [String] {
    let result = try workspace.modelctl("hash", model)
    #expect(result.status == 0, "\(result.standardError)")
    return result.standardOutput.split(separator: "\n").dropFirst().map(String.init)
  }

  @Test(
    "From every kind of source to every kind of place",
    arguments: [
      "Orders@v1", "Models/Orders.xcdatamodeld", "Models/Orders.xcdatamodeld/v6.xcdatamodel/contents", "foreign.sqlite",
      "1.0:Models/Orders.xcdatamodeld/v2.xcdatamodel",
    ],
    [
      "New.xcdatamodeld", "New.xcdatamodeld/other.xcdatamodel", "New.xcdatamodel", "New.xcdatamodel/contents",
      "new.xml",
    ])
  func hashesAreKept(_ source: String, _ place: String) throws {
    let workspace = try Workspace()
    try workspace.makeStore("foreign.sqlite")
    let git = "git init -q && git add Models && git -c user.name=a -c user.email=a@b commit -qm 1.0 && git tag 1.0"
    #expect(try Modelctl.shell(git, in: workspace).status == 0)
    let result = try workspace.modelctl("export", source, "--to", place)
    #expect(result.status == 0, "\(result.standardError)")
    #expect(try Self.hashes(place, in: workspace) == Self.hashes(source, in: workspace))
    let before = try workspace.contents()
    #expect(
      try workspace.modelctl("export", source, "--to", place, "--model", "Models/Orders.xcdatamodeld").status == 2)
    #expect(try workspace.contents() == before, "what is there is not overwritten")
  }

  @Test(
    "Nothing is left of an export that is refused",
    arguments: [
      (["export", "Orders@v9", "--to", "New.xcdatamodeld"], "no model version “Orders@v9”"),
      (["export", "Orders@v1", "--to", "New.momd"], "compiled models are made by Xcode"),
      (["export", "Orders@v1", "--to", "New.xcdatamodeld", "--version", "a/b"], "can be no version's name"),
      (["export", "Orders@v1", "--to", "Models/Orders.xcdatamodeld"], "has a version “v1”"),
      (["export", "Orders@v1", "--to", "Models"], "is a folder; name what to make in it"),
      (["export", "Orders@v1", "--to", "gone/new.xml"], "cannot be written"),
      (["export", "README.md", "--to", "new.xml"], "neither a model nor an SQLite store"),
    ])
  func refused(_ command: [String], _ words: String) throws {
    let workspace = try Workspace()
    try workspace.write("no model", to: "README.md")
    let before = try workspace.contents()
    let result = try Modelctl.run(command, in: workspace)
    #expect(result.status == 2)
    #expect(result.standardOutput.isEmpty)
    #expect(result.standardError.contains(words), "\(result.standardError)")
    #expect(try workspace.contents() == before)
  }
}
