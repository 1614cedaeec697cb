import Foundation
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@Suite("The model files of a revision of git, in a folder of their own")
struct RevisionTreeTests {
  private let repository: ScratchRepository

  init() throws {
    repository = try ScratchRepository()
    try write(version: "v1", of: "App/Shop.xcdatamodeld", entity: "One")
    try write(version: "v2", of: "App/Shop.xcdatamodeld", entity: "Two")
    try repository.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>v2.xcdatamodel</string></dict></plist>",
      to: "App/Shop.xcdatamodeld/.xccurrentversion")
    try repository.write("{}\n", to: "App/Shop.lock.json")
    try repository.write("{}\n", to: ".modelctl.json")
    try repository.write("<mappingModel/>\n", to: "Migrations/Shop/v1-v2.xml")
    try repository.write("import CoreData\n", to: "App/Shop.swift")
    try repository.write("<a/>\n", to: "App/other.xml")
    try write(version: "v1", of: ".hidden/Old.xcdatamodeld", entity: "Old")
    try repository.commit()
  }

  private func write(version: String, of bundle: String, entity: String) throws {
    try repository.write("<model><entity name=\"\(entity)\"/></model>", to: "\(bundle)/\(version).xcdatamodel/contents")
  }

  /// The files of a revision, by their paths.
  private func files(_ revision: String, _ paths: String...) throws -> [String] {
    try RevisionTree.read(revision, paths: paths.map(repository.path)) { tree in
      let names = FileManager.default.enumerator(atPath: tree.root)?.compactMap { $0 as? String } ?? []
      return names.filter { !ScratchFile.isFolder("\(tree.root)/\($0)") }.sorted()
    }
  }

  @Test(
    "A search for mapping models reads nothing else, and its folders may be missing in the repository")
  func mappingFolders() throws {
    let names = try RevisionTree.read(
      "HEAD", paths: [repository.path("App/Shop.xcdatamodeld")], mappingFolders: [repository.path(""), "/"]
    ) { tree in
      let names = FileManager.default.enumerator(atPath: tree.root)?.compactMap { $0 as? String } ?? []
      return names.filter { !ScratchFile.isFolder("\(tree.root)/\($0)") }.sorted()
    }
    let others = names.filter { !$0.hasPrefix("App/Shop.xcdatamodeld/") }
    #expect(others == ["App/Shop.lock.json", "Migrations/Shop/v1-v2.xml"])
    #expect(names.count == 5)
  }

  @Test("Only files that matter to models are read")
  func everything() throws {
    #expect(
      try files("HEAD", "") == [
        ".modelctl.json", "App/Shop.lock.json", "App/Shop.xcdatamodeld/.xccurrentversion",
        "App/Shop.xcdatamodeld/v1.xcdatamodel/contents", "App/Shop.xcdatamodeld/v2.xcdatamodel/contents",
        "Migrations/Shop/v1-v2.xml",
      ])
    #expect(
      try files("main", "App/Shop.xcdatamodeld") == [
        "App/Shop.lock.json", "App/Shop.xcdatamodeld/.xccurrentversion",
        "App/Shop.xcdatamodeld/v1.xcdatamodel/contents", "App/Shop.xcdatamodeld/v2.xcdatamodel/contents",
      ])
    #expect(try files("main", "App/None.xcdatamodeld") == [])
  }

  @Test("A bundle is read independently of the working tree, and its copy is removed")
  func bundle() throws {
    try FileManager.default.removeItem(atPath: repository.path("App"))
    let path = repository.path("App/Shop.xcdatamodeld")
    let root = try RevisionTree.read("HEAD", paths: [path]) { tree in
      let bundle = try ModelBundle(at: tree.path(of: path))
      #expect(bundle.versions.map(\.name) == ["v1", "v2"])
      let current = try bundle.currentVersion().load()
      #expect(current.model.entities.map(\.name) == ["Two"])
      #expect(tree.workingPath(of: bundle.path).hasSuffix("work/App/Shop.xcdatamodeld"))
      #expect(!tree.workingPath(of: bundle.path).hasPrefix("/"))
      #expect(tree.path(of: tree.workingPath(of: bundle.path)) == bundle.path)
      #expect(!tree.revision.isMergeBase)
      return tree.root
    }
    #expect(!FileManager.default.fileExists(atPath: root))
  }

  @Test("The files are removed when reading them fails")
  func removal() throws {
    struct Stop: Error {}
    var root = ""
    #expect(throws: Stop.self) {
      try RevisionTree.read("HEAD", paths: [repository.path("")]) { tree in
        root = tree.root
        throw Stop()
      }
    }
    #expect(!root.isEmpty && !FileManager.default.fileExists(atPath: root))
  }

  @Test("The merge base with HEAD is read where there is one, unless the revision itself is wanted")
  func mergeBase() throws {
    let base = try repository.git("rev-parse", "HEAD")
    try repository.git("checkout", "--quiet", "-b", "feature")
    try write(version: "v3", of: "App/Shop.xcdatamodeld", entity: "Three")
    try repository.commit()
    try repository.git("checkout", "--quiet", "main")
    try write(version: "v9", of: "App/Shop.xcdatamodeld", entity: "Nine")
    let main = try repository.commit()
    try repository.git("checkout", "--quiet", "feature")
    let path = repository.path("App/Shop.xcdatamodeld")
    try RevisionTree.read("main", paths: [path]) { tree in
      #expect(tree.revision.commit == base)
      #expect(tree.revision.isMergeBase)
      #expect("\(tree.revision)" == "main, merge base \(base.prefix(10))")
      let versions = try ModelBundle(at: tree.path(of: path)).versions
      #expect(versions.map(\.name) == ["v1", "v2"])
    }
    try RevisionTree.read("main", paths: [path], usingMergeBase: false) { tree in
      #expect(tree.revision.commit == main)
      #expect("\(tree.revision)" == "main, commit \(main.prefix(10))")
      let versions = try ModelBundle(at: tree.path(of: path)).versions
      #expect(versions.map(\.name) == ["v1", "v2", "v9"])
    }
  }

  @Test("A shallow clone: available content is read, and missing content is named with the command that fetches it")
  func shallowClone() throws {
    let first = try repository.git("rev-parse", "HEAD")
    try repository.git("tag", "1.0")
    try repository.git("branch", "release/1")
    try write(version: "v3", of: "App/Shop.xcdatamodeld", entity: "Three")
    try repository.commit()
    let clone = try repository.clone("shallow", "--depth=1")
    let path = clone.path("App/Shop.xcdatamodeld")
    func versions(_ revision: String) throws -> [String] {
      try RevisionTree.read(revision, paths: [path]) { try ModelBundle(at: $0.path(of: path)).versions.map(\.name) }
    }
    func message(_ revision: String) -> String {
      do {
        return "\(try versions(revision))"
      } catch {
        return error.sentence
      }
    }
    #expect(try versions("origin/main") == ["v1", "v2", "v3"])
    let lacks = "this shallow clone does not have this revision; fetch"
    #expect(message(first) == "\(first): \(lacks) it: git fetch --depth=1 origin \(first)")
    #expect(message("1.0") == "1.0: \(lacks) it, then name it FETCH_HEAD: git fetch --depth=1 origin 1.0")
    #expect(
      message("origin/release/1")
        == "origin/release/1: \(lacks) it: "
        + "git fetch --depth=1 origin +release/1:refs/remotes/origin/release/1")
    #expect(message("HEAD~1") == "HEAD~1: \(lacks) its history: git fetch --unshallow")
    try clone.git("fetch", "--quiet", "--depth=1", "origin", first)
    #expect(try versions(first) == ["v1", "v2"])
    try clone.git("fetch", "--quiet", "--depth=1", "origin", "1.0")
    #expect(try versions("FETCH_HEAD") == ["v1", "v2"])
    try clone.git("fetch", "--quiet", "--depth=1", "origin", "+release/1:refs/remotes/origin/release/1")
    #expect(try versions("origin/release/1") == ["v1", "v2"])
  }

  @Test("Links, submodules and paths that leave the folder are passed over")
  func hostileEntries() throws {
    try FileManager.default.createSymbolicLink(
      atPath: repository.path("App/Link.lock.json"), withDestinationPath: "/etc/hostname")
    try repository.write("x", to: "blob")
    let blob = try repository.git("hash-object", "-w", "blob")
    try repository.commit()
    let kept = try files("HEAD", "")
    #expect(!kept.contains("App/Link.lock.json"))
    // `git mktree` takes names that no checkout would, as a hostile server can send them.
    let evil = try tree("100644 blob \(blob)\tevil.lock.json")
    let top = try tree("040000 tree \(evil)\t..\n040000 tree \(evil)\tgood")
    let commit = try repository.git("commit-tree", "-m", "evil", top)
    #expect(try files(commit, "") == ["good/evil.lock.json"])
  }

  private func tree(_ lines: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "mktree"]
    process.currentDirectoryURL = repository.url
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data((lines + "\n").utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("A name that is not a revision is refused", arguments: ["", "-v", "--output=x", "^HEAD", "a\nb"])
  func notARevision(_ text: String) throws {
    #expect(throws: RevisionError.notARevision(text)) { try files(text, "App") }
  }

  @Test("A revision that is not there, in a repository that has no remote", arguments: ["nowhere", "HEAD:App", "a..b"])
  func unknown(_ text: String) throws {
    #expect(throws: RevisionError.unknownRevision(text, isShallow: false, remotes: [], near: [])) {
      try files(text, "App")
    }
  }

  @Test("Outside of any repository, and a path of another one")
  func elsewhere() throws {
    let other = try TemporaryFolder()
    do {
      _ = try RevisionTree.read("HEAD", paths: [other.url.path]) { $0 }
      Issue.record("read")
    } catch let error as RevisionError {
      #expect("\(error)".hasPrefix("\(other.url.path): git cannot read a repository here: fatal: not a git rep"))
    }
    #expect(throws: RevisionError.self) {
      try RevisionTree.read("HEAD", paths: [repository.path("App"), other.url.path]) { $0 }
    }
  }

  @Test("A hundred and fifty versions")
  func manyVersions() throws {
    for number in 3...150 { try write(version: "v\(number)", of: "App/Shop.xcdatamodeld", entity: "E\(number)") }
    try repository.commit()
    let path = repository.path("App/Shop.xcdatamodeld")
    let entities = try RevisionTree.read("HEAD", paths: [path]) { tree in
      try ModelBundle(at: tree.path(of: path)).versions.map { try $0.load().model.entities.map(\.name) }
    }
    #expect(entities == [["One"], ["Two"]] + (3...150).map { ["E\($0)"] })
  }
}

enum ScratchFile {
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
