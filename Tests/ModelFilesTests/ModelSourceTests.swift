import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

/// The forms of a MODEL argument, and the messages about invalid arguments.
struct ModelSourceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try write("Shop.xcdatamodeld/v1.xcdatamodel/contents", entity: "One")
    try write("Shop.xcdatamodeld/v2.xcdatamodel/contents", entity: "Two")
    try write("Shop.xcdatamodeld/Shop.xcdatamodel/contents", entity: "Zero")
    try Data(
      "<plist><dict><key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>".utf8
    ).write(to: folder.url.appendingPathComponent("Shop.xcdatamodeld/.xccurrentversion"))
    try write("Blog.xcdatamodeld/v1.xcdatamodel/contents", entity: "Post")
  }

  private func write(_ path: String, entity: String) throws {
    let url = folder.url.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("<model><entity name=\"\(entity)\"/></model>".utf8).write(to: url)
  }

  private func entity(_ argument: String, bundle: String? = nil) throws -> String? {
    try ModelSource.resolve(argument, under: folder.url.path, bundlePath: bundle).load().model.entities.first?.name
  }

  @Test(arguments: [
    ("v2", "Two"), ("Shop", "Two"), ("Shop@Shop", "Zero"), ("Shop@v1", "One"), ("Blog@v1", "Post"),
    ("Blog.xcdatamodeld@v1", "Post"),
    ("Blog", "Post"),
  ])
  func names(_ argument: String, _ expected: String) throws {
    #expect(try entity(argument) == expected)
  }

  @Test(
    "A name in any case of letters, and a number that only one version has",
    arguments: [
      ("V2", "Two"), ("SHOP", "Two"), ("shop@V1", "One"), ("2", "Two"), ("Shop@2", "Two"), ("blog", "Post"),
      ("Blog@1", "Post"),
    ])
  func forgivingNames(_ argument: String, _ expected: String) throws {
    #expect(try entity(argument) == expected)
  }

  @Test("A number that several have, or that is a part of another, is none", arguments: ["1", "V1", "17", "7", "0.1"])
  func unclearNames(_ argument: String) throws {
    try write("Blog.xcdatamodeld/Model 117.xcdatamodel/contents", entity: "Far")
    try write("Blog.xcdatamodeld/Model 1.0.1.xcdatamodel/contents", entity: "Far")
    #expect(throws: ModelFileError.self) { try entity(argument) }
    #expect(try entity("117") == "Far" && entity("1.0.1") == "Far")
  }

  @Test(arguments: [
    ("Shop.xcdatamodeld", "Two"), ("Shop.xcdatamodeld/", "Two"), ("Shop.xcdatamodeld/v1.xcdatamodel", "One"),
    ("Shop.xcdatamodeld/v1.xcdatamodel/contents", "One"),
  ])
  func paths(_ path: String, _ expected: String) throws {
    #expect(try entity(folder.path(path).replacingOccurrences(of: "//", with: "/")) == expected)
  }

  @Test func aVersionReachedByItsPathKnowsItsBundle() throws {
    let source = try ModelSource.resolve(folder.path("Shop.xcdatamodeld/v1.xcdatamodel/contents"))
    guard case .version(let version) = source else {
      Issue.record("\(source)")
      return
    }
    #expect(version.qualifiedName == "Shop@v1")
  }

  @Test func aNameInTwoBundlesIsAmbiguousUntilABundleIsNamed() throws {
    #expect(throws: ModelFileError.ambiguous(name: "v1", candidates: ["Blog@v1", "Shop@v1"])) { try entity("v1") }
    #expect(try entity("v1", bundle: folder.path("Blog.xcdatamodeld")) == "Post")
  }

  @Test func anUnknownNameIsAnsweredWithTheNearest() {
    let error = ModelFileError.unknownVersion(
      name: "v3", folder: folder.url.path, candidates: ["v2", "Blog@v1", "Shop@v1"])
    #expect(throws: error) { try entity("v3") }
    #expect(throws: ModelFileError.self) { try entity("Shop@v9") }
  }

  @Test func aBundleThatCannotBeReadIsSaidWhenTheNameIsNowhereElse() throws {
    let path = folder.path("Torn.xcdatamodeld")
    try write("Torn.xcdatamodeld/v7.xcdatamodel/contents", entity: "Torn")
    try Data("torn".utf8).write(to: URL(fileURLWithPath: path + "/.xccurrentversion"))
    #expect(try entity("v2") == "Two")
    let error = ModelFileError.brokenPropertyList(
      path: path + "/.xccurrentversion", .notAPropertyList)
    #expect(throws: error) { try entity("v7") }
  }

  @Test func aStoreIsNotAModel() throws {
    let path = folder.path("store.sqlite")
    try Data("SQLite format 3\0 and so on".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: ModelFileError.notAModel(path: path)) { try entity(path) }
    #expect(throws: ModelFileError.self) { try entity("missing/store.sqlite") }
  }

  @Test func aFolderWithoutBundles() throws {
    let empty = try TemporaryFolder()
    #expect(throws: ModelFileError.noBundle(folder: empty.url.path)) { try ModelSource.current(under: empty.url.path) }
    #expect(throws: ModelFileError.unknownVersion(name: "v1", folder: empty.url.path, candidates: [])) {
      try ModelSource.resolve("v1", under: empty.url.path)
    }
  }

  @Test func theCurrentVersionOfTheOnlyBundle() throws {
    let shop = folder.path("Shop.xcdatamodeld")
    #expect(try ModelSource.current(bundlePath: shop).name == "v2")
    let candidates = [folder.path("Blog.xcdatamodeld"), shop]
    #expect(throws: ModelFileError.ambiguous(name: folder.url.path, candidates: candidates)) {
      try ModelSource.current(under: folder.url.path)
    }
  }

  private func git(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["git", "-C", folder.url.path, "-c", "user.name=T", "-c", "user.email=t@example.org"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test func aRevisionOfGit() throws {
    try git("init", "-q")
    try git("add", "-A")
    try git("commit", "-qm", "models")
    try write("Shop.xcdatamodeld/v2.xcdatamodel/contents", entity: "Edited")
    #expect(try entity("v2") == "Edited")
    #expect(try entity("HEAD:Shop.xcdatamodeld") == "Two")
    #expect(try entity("HEAD:Shop.xcdatamodeld/v1.xcdatamodel") == "One")
    let inside = folder.path("Shop.xcdatamodeld")
    let relative = try ModelSource.resolve("HEAD:v1.xcdatamodel", under: inside).load()
    #expect(relative.model.entities.map(\.name) == ["One"])
    #expect(try entity("HEAD:Shop.xcdatamodeld/v1.xcdatamodel/contents") == "One")
    let file = try ModelSource.resolve("HEAD:Blog.xcdatamodeld", under: folder.url.path).load()
    #expect(file.path == "HEAD:Blog.xcdatamodeld/v1.xcdatamodel/contents")
    let missing = ModelFileError.git(
      argument: "HEAD:None.xcdatamodeld", reason: "there is no such revision, or the revision does not have this path")
    #expect(throws: missing) { try entity("HEAD:None.xcdatamodeld") }
    #expect(throws: ModelFileError.self) { try entity("--output=x:Shop.xcdatamodeld") }
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
  }
}
