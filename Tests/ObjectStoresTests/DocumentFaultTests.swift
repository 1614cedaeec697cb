import AtomicStores
import Foundation
import ModelFiles
import PersistentStores
import StoreMigration
import Synchronization
import TestSupport
import Testing

@testable import ObjectStores

@Suite("Whatever goes wrong while a store of another kind is replaced, it is the old file or the new one")
struct DocumentFaultTests {
  /// Counts operations on files; one of them fails, or it and all after it do, as when the process dies.
  private final class FaultyFiles: FileOperations {
    private let count = Mutex(0)
    private let failing: Int
    private let endsTheProcess: Bool
    private let isTorn: Bool

    init(failing: Int, endsTheProcess: Bool, isTorn: Bool = false) {
      (self.failing, self.endsTheProcess, self.isTorn) = (failing, endsTheProcess, isTorn)
    }

    var operations: Int { count.withLock { $0 } }

    private func attempt(_ body: () throws(FileError) -> Void) throws(FileError) {
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == failing || endsTheProcess && failing > 0 && number > failing { throw FileError(code: ENOSPC) }
      try body()
    }

    private let files = SystemFiles()
    func create(_ path: String) throws(FileError) { try attempt { () throws(FileError) in try files.create(path) } }
    func createFolder(_ path: String) throws(FileError) {
      try attempt { () throws(FileError) in try files.createFolder(path) }
    }
    func write(_ data: Data, to path: String) throws(FileError) {
      if isTorn { try? files.write(data.prefix(data.count / 2), to: path) }
      try attempt { () throws(FileError) in try files.write(data, to: path) }
    }
    func append(_ data: Data, to path: String) throws(FileError) {
      try attempt { () throws(FileError) in try files.append(data, to: path) }
    }
    func copyPermissions(of model: String, to path: String) throws(FileError) {
      try attempt { () throws(FileError) in try files.copyPermissions(of: model, to: path) }
    }
    func link(_ path: String, to name: String) throws(FileError) {
      try attempt { () throws(FileError) in try files.link(path, to: name) }
    }
    func rename(_ path: String, to name: String) throws(FileError) {
      try attempt { () throws(FileError) in try files.rename(path, to: name) }
    }
    func remove(_ path: String) throws(FileError) { try attempt { () throws(FileError) in try files.remove(path) } }
    func synchronize(_ path: String) throws(FileError) {
      try attempt { () throws(FileError) in try files.synchronize(path) }
    }
  }

  /// A store of the first version in a folder of its own.
  private struct Subject {
    let folder = try? TemporaryFolder()
    let path: String
    let versions: [LoadedVersion]
    let old: Data

    init(_ kind: String) throws {
      let folder = try #require(folder)
      path = folder.path("todo.store")
      versions = LoadedVersion.load(from: ModelBundle.discover(under: SampleModels.path("Todo"))).versions
      let kind = try #require(StoreKinds.builtIn.first { $0.name == kind })
      try StoreCreator(of: versions[0].hierarchy).create(
        at: path, kind: kind, filling: SyntheticRows(seed: 5, rowsPerEntity: 9))
      old = try Data(contentsOf: URL(fileURLWithPath: path))
    }

    var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: try #require(folder).url.path).sorted() }
    }
    var content: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }

    func migrate(_ files: any FileOperations, isInterrupted: Bool = false) throws {
      let kind = try #require(StoreKinds.kind(ofFile: path))
      let mirror = try StoreMirror(
        path, kind, { metadata in versions.first { $0.versionHashes == metadata.versionHashes } }, files)
      let request = MigrationRequest(path: path, versions: versions, destination: versions[1])
      _ = try mirror.migrate(request, isInterrupted: { isInterrupted })
    }
  }

  @Test("At each operation on a file", arguments: StoreKinds.builtIn.map(\.name), [false, true])
  func walk(_ kind: String, endsTheProcess: Bool) throws {
    let clean = try Subject(kind)
    let counting = FaultyFiles(failing: 0, endsTheProcess: false)
    try clean.migrate(counting)
    #expect(counting.operations == 6)
    #expect(try clean.names == ["todo.store", "todo.store.v1.backup"])
    for operation in 1...counting.operations {
      let subject = try Subject(kind)
      let files = FaultyFiles(
        failing: operation, endsTheProcess: endsTheProcess, isTorn: endsTheProcess && operation == 1)
      #expect(throws: StoreError.diskFull(path: subject.path)) { try subject.migrate(files) }
      let isOld = try subject.content == subject.old
      #expect(isOld == (operation < counting.operations), "operation \(operation)")
      if !isOld { #expect(StoreKinds.kind(ofFile: subject.path)?.name == kind) }
      if !endsTheProcess {
        #expect(try subject.names.allSatisfy { !$0.hasSuffix(".partial") }, "operation \(operation)")
      }
      try subject.migrate(SystemFiles())
      #expect(try subject.content != subject.old && subject.names.contains("todo.store.v1.backup"))
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: "\(subject.path).v1.backup")) == subject.old, "operation \(operation)"
      )
      if isOld { #expect(try subject.names.allSatisfy { !$0.hasSuffix(".partial") }, "operation \(operation)") }
    }
  }

  @Test("What a killed program left is removed by the next that writes the file, and nothing else is")
  func leftovers() throws {
    let subject = try Subject("JSON")
    let folder = try #require(subject.folder)
    let kept = [".todo.store.notes.partial", ".other.store.\(UUID().uuidString).partial"]
    for name in kept + [".todo.store.\(UUID().uuidString).partial"] {
      try Data("{".utf8).write(to: folder.url.appendingPathComponent(name))
    }
    try subject.migrate(SystemFiles())
    #expect(try subject.names == (kept + ["todo.store", "todo.store.v1.backup"]).sorted())
  }

  @Test("An interrupted migration names the file and leaves it as it was")
  func interruption() throws {
    let subject = try Subject("XML")
    #expect(throws: StoreError.interrupted(path: subject.path)) {
      try subject.migrate(SystemFiles(), isInterrupted: true)
    }
    #expect(try subject.content == subject.old)
    #expect(try subject.names == ["todo.store"])
  }

  @Test("What is wrong with the SQLite store that stands for the file is said of the file")
  func naming() throws {
    let subject = try Subject("Binary")
    let mirror = try #require(try StoreMirror.of(subject.path, versions: subject.versions))
    let last = subject.versions[1]
    let request = MigrationRequest(path: subject.path, versions: [last], destination: last)
    #expect(throws: MigrationError.unknownVersion(path: subject.path)) { try mirror.plan(request) }
    #expect(throws: MigrationError.unknownVersion(path: subject.path)) { try mirror.migrate(request) }
    let reader = try mirror.reader()
    defer { reader.close() }
    #expect(reader.path == subject.path && reader.file == mirror.store)
  }
}
