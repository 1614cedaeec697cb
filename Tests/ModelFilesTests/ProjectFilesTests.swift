import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("Every bundle below a folder is found once, however deep and through links")
struct ProjectFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ bundle: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("\(bundle)/v1.xcdatamodel"), withIntermediateDirectories: true)
    try Data("<model/>".utf8).write(to: URL(fileURLWithPath: folder.path("\(bundle)/v1.xcdatamodel/contents")))
  }

  private func link(_ path: String, to target: String) throws {
    let place = URL(fileURLWithPath: folder.path(path))
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: place.path, withDestinationPath: target)
  }

  private func found(under start: String) -> [String] {
    let prefix = folder.path(start) + "/"
    return ModelBundle.discover(under: folder.path(start)).map { String($0.path.dropFirst(prefix.count)) }
  }

  @Test("Deep folders", arguments: [16, 17, 40, 300])
  func deep(_ depth: Int) throws {
    let path = Array(repeating: "d", count: depth).joined(separator: "/")
    try make("app/\(path)/Shop.xcdatamodeld")
    #expect(found(under: "app") == ["\(path)/Shop.xcdatamodeld"])
  }

  @Test("A link to a bundle elsewhere is a bundle; one to a bundle that is found, or to a part of one, is none")
  func links() throws {
    try make("app/Own.xcdatamodeld")
    try make("shared/Shop.xcdatamodeld")
    try make("app/.hidden/Secret.xcdatamodeld")
    try link("app/Other.xcdatamodeld", to: "Own.xcdatamodeld")
    try link("app/Part.xcdatamodel", to: "Own.xcdatamodeld/v1.xcdatamodel")
    try link("app/a/Shop.xcdatamodeld", to: "../../shared/Shop.xcdatamodeld")
    try link("app/b/Again.xcdatamodeld", to: "../a/Shop.xcdatamodeld")
    try link("app/Secret.xcdatamodeld", to: ".hidden/Secret.xcdatamodeld")
    try link("app/Gone.xcdatamodeld", to: "nowhere.xcdatamodeld")
    try link("app/Loop.xcdatamodeld", to: "Loop.xcdatamodeld")
    try link("app/c/up", to: "..")
    try link("app/Folder.xcdatamodeld", to: "../app")
    let paths = found(under: "app").sorted()
    #expect(paths == ["Own.xcdatamodeld", "Secret.xcdatamodeld", "a/Shop.xcdatamodeld"], "\(paths)")
  }
}

@Suite("In a work tree, git's index decides which folders are searched, and ignored files are not read")
struct TrackedProjectTests {
  private let repository: ScratchRepository

  init() throws { repository = try ScratchRepository() }

  private func bundle(_ path: String, in other: ScratchRepository? = nil) throws {
    try (other ?? repository).write("<model/>", to: "\(path)/v1.xcdatamodel/contents")
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: repository.path(path), withDestinationPath: target)
  }

  /// The files found below a folder, with paths relative to it.
  private func found(under folder: String = "", cache: TemporaryFolder? = nil) -> [String] {
    let start = folder.isEmpty ? repository.url.path : repository.path(folder)
    let files = ProjectSearch(in: .enclosing(start), cache: cache?.url.path).allFiles(under: start)
    return (files.bundles + files.mappings + files.locks).map { String($0.dropFirst(start.count + 1)) }.sorted()
  }

  /// Tracked, untracked, ignored, hidden and nested places.
  private func makeProject() throws {
    try bundle("App/Shop.xcdatamodeld")
    try repository.write("{}", to: "App/Shop.lock.json")
    try repository.write("<mappingModel/>", to: "Migrations/Shop/v1-v2.xml")
    try repository.write("", to: "App/Maps/One.xcmappingmodel/xcmapping.xml")
    try repository.write("let one = 1", to: "App/Views/One.swift")
    try repository.write("build/\n*.mom\nLocal/*\n", to: ".gitignore")
    try bundle("Pods/Kept/Pod.xcdatamodeld")
    try bundle("App/.hidden/Secret.xcdatamodeld")
    try link("App/Linked.xcdatamodeld", to: "../Elsewhere/There.xcdatamodeld")
    try repository.commit()
    try bundle("App/New.xcdatamodeld")
    try bundle("New folder/:(top)/*/Fresh.xcdatamodeld")
    try repository.write("", to: "New folder/build/Old.cdm")
    try repository.write("", to: "App/Fresh.cdm")
    try bundle("build/Copy.xcdatamodeld")
    try bundle("App/Views/build/Copy.xcdatamodeld")
    try repository.write("", to: "App/Ignored.mom")
    try bundle("Local/Own.xcdatamodeld")
    try bundle("Elsewhere/There.xcdatamodeld")
  }

  private static let expected = [
    "App/Fresh.cdm", "App/Maps/One.xcmappingmodel", "App/New.xcdatamodeld", "App/Shop.lock.json",
    "App/Shop.xcdatamodeld", "Elsewhere/There.xcdatamodeld", "Migrations/Shop/v1-v2.xml",
    "New folder/:(top)/*/Fresh.xcdatamodeld", "Pods/Kept/Pod.xcdatamodeld",
  ]

  @Test(
    "Any format of the index, and a missing index",
    arguments: ["2", "3", "4", "split", "none", "damaged", "untracked cache", "configured monitor"])
  func indexForms(_ form: String) throws {
    try makeProject()
    let index = repository.path(".git/index")
    switch form {
    case "2", "4": try repository.git("update-index", "--index-version", form)
    case "3": try repository.git("add", "--intent-to-add", "App/New.xcdatamodeld")
    case "split": try repository.git("update-index", "--split-index")
    case "none": try FileManager.default.removeItem(atPath: index)
    case "damaged":
      try Data("DIRC\0\0\0\u{2}\u{7F}\0\0\0 and no more than that".utf8).write(to: URL(fileURLWithPath: index))
    case "untracked cache": try repository.git("update-index", "--force-untracked-cache")
    default: try repository.git("config", "core.fsmonitor", "touch \(repository.path("started")); false")
    }
    // Without an index everything ignored is, also what was committed before; with half of one git says nothing at all.
    #expect(found() == Self.expected)
    let inApp = Self.expected.filter { $0.hasPrefix("App/") }.map { String($0.dropFirst(4)) }
    #expect(found(under: "App") == (inApp + ["Linked.xcdatamodeld"]).sorted())
    #expect(!FileManager.default.fileExists(atPath: repository.path("started")))
  }

  @Test("A repository whose hashes are long ones")
  func longHashes() throws {
    try FileManager.default.removeItem(atPath: repository.path(".git"))
    try repository.git("init", "--quiet", "--object-format=sha256")
    try makeProject()
    #expect(found() == Self.expected)
  }

  @Test("Committed files are not ignored, deleted files are not found, and a link in place of a folder is not followed")
  func changes() throws {
    try makeProject()
    try repository.git("add", "--force", "build/Copy.xcdatamodeld", "App/Ignored.mom")
    try FileManager.default.removeItem(atPath: repository.path("App/Shop.xcdatamodeld"))
    try FileManager.default.removeItem(atPath: repository.path("Pods"))
    try FileManager.default.moveItem(atPath: repository.path("Migrations"), toPath: repository.path("Local/Moved"))
    try link("Migrations", to: "Local/Moved")
    let gone: Set = ["App/Shop.xcdatamodeld", "Pods/Kept/Pod.xcdatamodeld", "Migrations/Shop/v1-v2.xml"]
    let expected = Self.expected.filter { !gone.contains($0) } + ["App/Ignored.mom", "build/Copy.xcdatamodeld"]
    #expect(found() == expected.sorted())
  }

  @Test("In an ignored folder that is named nothing is ignored")
  func ignoredStart() throws {
    try makeProject()
    try repository.write("", to: "build/deep/build/One.mom")
    #expect(found(under: "build") == ["Copy.xcdatamodeld", "deep/build/One.mom"])
    #expect(found(under: "build/deep") == ["build/One.mom"])
  }

  @Test("Submodules, repositories inside and work trees elsewhere are looked through, each by its own rules")
  func repositories() throws {
    try makeProject()
    let other = try ScratchRepository()
    try bundle("Part.xcdatamodeld", in: other)
    try bundle("out/Built.xcdatamodeld", in: other)
    try other.commit()
    try other.write("out2/\n", to: ".gitignore")
    try other.commit()
    try repository.git(
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.url.path, "Libraries/Sub")
    try bundle("Libraries/Sub/out2/Ignored.xcdatamodeld")
    try repository.git("init", "--quiet", "App/Inner")
    try repository.git("-C", "App/Inner", "commit", "--quiet", "--allow-empty", "--message", "inner")
    try bundle("App/Inner/Own.xcdatamodeld")
    let inner = [
      "App/Inner/Own.xcdatamodeld", "Libraries/Sub/Part.xcdatamodeld", "Libraries/Sub/out/Built.xcdatamodeld",
    ]
    #expect(found() == (Self.expected + inner).sorted())
    #expect(found(under: "Libraries/Sub") == ["Part.xcdatamodeld", "out/Built.xcdatamodeld"])
    try repository.commit()
    try repository.git("worktree", "add", "--quiet", "../tree")
    #expect(found(under: "../tree").contains("App/New.xcdatamodeld"))
    try repository.git("-C", "../tree", "sparse-checkout", "set", "--sparse-index", "App")
    #expect(found(under: "../tree") == found(under: "../tree/App").map { "App/\($0)" })
  }

  #if os(Linux)
    @Test("An ignored folder is never opened, and of many folders only those that changed since the last time")
    func unchanged() throws {
      for number in 0..<100 { try repository.write("let one = 1", to: "Part\(number)/One.swift") }
      try makeProject()
      let cache = try TemporaryFolder()
      #expect(found(cache: cache) == Self.expected)
      // What changed a moment ago is not kept.
      Thread.sleep(forTimeInterval: 3.1)
      #expect(found(cache: cache) == Self.expected)
      #expect(try FileManager.default.contentsOfDirectory(atPath: cache.url.path).count == 1)
      let places = (0..<100).map { repository.path("Part\($0)") } + [repository.path("build"), repository.path("App")]
      let opened = try OpenedFiles(places)
      #expect(found(cache: cache) == Self.expected)
      #expect(opened.counts().isEmpty)
      try bundle("Part7/Late.xcdatamodeld")
      try repository.write("", to: "Part8/Late.cdm")
      let late = ["Part8/Late.cdm", "Part7/Late.xcdatamodeld"]
      _ = opened.counts()
      #expect(found(cache: cache) == (Self.expected + late).sorted())
      #expect(opened.counts() == [repository.path("Part7"): 1, repository.path("Part8"): 1])
      try repository.write("Part7/\nbuild/\n*.mom\nLocal/*\n", to: ".gitignore")
      let left = (Self.expected + late.prefix(1)).sorted()
      #expect(found(cache: cache) == left, "what is new in a folder that is ignored by now is ignored")
      try repository.git("rm", "--quiet", "-r", "--cached", "Part7")
      #expect(found(cache: cache) == left, "what is tracked no more is ignored")
      let record = try #require(FileManager.default.contentsOfDirectory(atPath: cache.url.path).first)
      try Data("modelctl folders 2\n and nothing else".utf8).write(to: URL(fileURLWithPath: cache.path(record)))
      #expect(found(cache: cache) == left, "a damaged record is none")
    }
  #endif
}
