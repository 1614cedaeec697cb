import AtomicStores
import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import StoreRows
import Synchronization
import TestSupport
import Testing

@testable import ObjectStores

@Suite("A fault during the replacement of a store of another type leaves the old file or the new file")
struct DocumentFaultTests {
  /// The operation that replaces the file.
  enum Work: CaseIterable {
    /// A migration, which keeps the old file under another name.
    case migration
    /// A save.
    case save
  }

  /// A kind of operation on a file.
  enum Kind: Hashable {
    case create, createFolder, write, append, link, rename, remove, synchronize
  }

  /// The fault: an operation fails, or it and all later operations fail, as if the process dies.
  private struct Fault: CustomStringConvertible {
    let operation: Int
    var code = ENOSPC
    var endsTheProcess = false
    /// A second operation that fails.
    var further: Int?

    var description: String { "operation \(operation), error \(code)\(endsTheProcess ? ", the end" : "")" }
    /// Half of what is to be written is there when the process dies.
    var isTorn: Bool { endsTheProcess && operation == 1 }

    /// Each operation finds no room, and is the last of all; with `MODELCTL_TORTURE` the disk fails at each, too.
    static func all(of operations: Int) -> [Fault] {
      let faults = (1...operations).flatMap { [Fault(operation: $0), Fault(operation: $0, endsTheProcess: true)] }
      let broken = (1...operations).map { Fault(operation: $0, code: EIO) }
      let isFull = ProcessInfo.processInfo.environment["MODELCTL_TORTURE"] != nil
      return faults + (isFull ? broken : CorpusSample.of(broken, atMost: 2))
    }
  }

  /// Counts operations on files, of which one may go wrong.
  private final class FaultyFiles: FileOperations {
    private let done = Mutex<[Kind]>([])
    private let fault: Fault?

    init(_ fault: Fault? = nil) { self.fault = fault }

    var operations: [Kind] { done.withLock { $0 } }

    /// The number of the last operation of a kind.
    func last(_ kind: Kind) throws -> Int { try #require(operations.lastIndex(of: kind)) + 1 }

    private func attempt<Value>(_ kind: Kind, _ body: () throws(FileError) -> Value) throws(FileError) -> Value {
      let number = done.withLock { done in
        done.append(kind)
        return done.count
      }
      if let fault,
        number == fault.operation || number == fault.further || fault.endsTheProcess && number > fault.operation
      {
        throw FileError(code: fault.code)
      }
      return try body()
    }

    private let files = SystemFiles()
    func create(_ path: String, like model: String?) throws(FileError) -> FileIdentity {
      try attempt(.create) { () throws(FileError) in try files.create(path, like: model) }
    }
    func createFolder(_ path: String, like model: String?) throws(FileError) {
      try attempt(.createFolder) { () throws(FileError) in try files.createFolder(path, like: model) }
    }
    func write(_ data: Data, to path: String, like model: String?) throws(FileError) {
      if fault?.isTorn == true { try? files.write(data.prefix(data.count / 2), to: path, like: model) }
      try attempt(.write) { () throws(FileError) in try files.write(data, to: path, like: model) }
    }
    func append(_ data: Data, to path: String) throws(FileError) {
      try attempt(.append) { () throws(FileError) in try files.append(data, to: path) }
    }
    func link(_ path: String, to name: String) throws(FileError) {
      try attempt(.link) { () throws(FileError) in try files.link(path, to: name) }
    }
    func rename(_ path: String, to name: String) throws(FileError) {
      try attempt(.rename) { () throws(FileError) in try files.rename(path, to: name) }
    }
    func remove(_ path: String) throws(FileError) {
      try attempt(.remove) { () throws(FileError) in try files.remove(path) }
    }
    func synchronize(_ path: String) throws(FileError) {
      try attempt(.synchronize) { () throws(FileError) in try files.synchronize(path) }
    }
  }

  /// Lets no commit succeed.
  private final class EndOfCommits: TransactionObserver {
    struct Failure: Error, Hashable {}

    private let body: () throws -> Void

    /// - Parameter body: done when a commit begins.
    init(_ body: @escaping () throws -> Void = {}) { self.body = body }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws {
      try body()
      throw Failure()
    }
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) {}
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

    private func mirror(_ files: any FileOperations) throws -> StoreMirror {
      let kind = try #require(StoreKinds.kind(ofFile: path))
      return try StoreMirror.read(
        path, kind, { metadata in versions.first { $0.versionHashes == metadata.versionHashes } }, files)
    }

    func migrate(_ files: any FileOperations, isInterrupted: Bool = false) throws {
      let request = MigrationRequest(path: path, versions: versions, destination: versions[1])
      _ = try mirror(files).migrate(request, isInterrupted: { isInterrupted })
    }

    func save(_ files: any FileOperations, until end: EndOfCommits? = nil) throws {
      let mirror = try mirror(files)
      let store = try ObjectStore.connect(
        path, versions[0].hierarchy, .opened, OpeningOptions(), file: mirror.store, mirror: mirror)
      defer { try? store.close() }
      if let end { store.connection.add(transactionObserver: end, extent: .databaseLifetime) }
      try store.write { try $0.update(RecordID(entity: "Todo", key: 1), ["title": "Buy milk"]) }
    }

    func perform(_ work: Work, _ files: any FileOperations) throws {
      switch work {
      case .migration: try migrate(files)
      case .save: try save(files)
      }
    }
  }

  /// A change that puts another file in the place of one, which keeps a second name.
  static let replacing: [Kind] = [.write, .synchronize, .link, .rename, .synchronize]

  /// The number of the first operation of a kind.
  private static func number(_ kind: Kind) -> Int { (replacing.firstIndex(of: kind) ?? 0) + 1 }

  @Test("At each operation on a file", arguments: StoreKinds.builtIn.map(\.name), Work.allCases)
  func walk(_ kind: String, _ work: Work) throws {
    let clean = try Subject(kind)
    let counting = FaultyFiles()
    try clean.perform(work, counting)
    let backup = work == .migration ? ["todo.store.v1.backup"] : []
    #expect(counting.operations == Self.replacing + (work == .save ? [.remove] : []))
    // The folder is written to the disk when the file has its name.
    let (linking, flushing) = (try counting.last(.link), try counting.last(.synchronize))
    #expect(try clean.names == ["todo.store"] + backup)
    for fault in Fault.all(of: counting.operations.count) {
      let subject = try Subject(kind)
      let error = StoreError(FileError(code: fault.code), writing: subject.path)
      // A save needs no second name of the old file, and is done before that is removed.
      let isSaved =
        work == .save && (fault.operation > flushing || fault.operation == linking && !fault.endsTheProcess)
      if isSaved {
        try subject.perform(work, FaultyFiles(fault))
      } else if work == .save, fault.operation == flushing, fault.endsTheProcess {
        let stays = ObjectStoreError.notTakenBack(
          path: subject.path, failure: CaughtError(error), obstacle: CaughtError(error))
        #expect(throws: stays, "\(fault)") { try subject.perform(work, FaultyFiles(fault)) }
      } else {
        #expect(throws: error, "\(fault)") { try subject.perform(work, FaultyFiles(fault)) }
      }
      let isOld = try subject.content == subject.old
      let isPutBack = work == .save && fault.operation == flushing && !fault.endsTheProcess
      #expect(isOld == (!isSaved && (fault.operation < flushing || isPutBack)), "\(fault)")
      if !isOld { #expect(StoreKinds.kind(ofFile: subject.path)?.name == kind) }
      if !fault.endsTheProcess, fault.operation <= flushing {
        #expect(try subject.names.allSatisfy { !$0.hasSuffix(".partial") }, "\(fault)")
      }
      if isOld, !fault.endsTheProcess { #expect(try subject.names == ["todo.store"], "\(fault)") }
      try subject.perform(work, SystemFiles())
      #expect(try subject.content != subject.old, "\(fault)")
      for name in backup {
        let kept = try Data(contentsOf: try #require(subject.folder).url.appendingPathComponent(name))
        #expect(kept == subject.old, "\(fault)")
      }
      if isOld { #expect(try subject.names.allSatisfy { !$0.hasSuffix(".partial") }, "\(fault)") }
    }
  }

  @Test("A save whose commit fails is taken back by a name, for which a full disk has room")
  func takenBack() throws {
    let subject = try Subject("JSON")
    let number = FileStatus(subject.path)?.number
    let counting = FaultyFiles()
    #expect(throws: EndOfCommits.Failure()) { try subject.save(counting, until: EndOfCommits()) }
    #expect(try subject.content == subject.old)
    #expect(FileStatus(subject.path)?.number == number)
    // The old file gets its name back, and the second name that was for it goes.
    #expect(counting.operations == Self.replacing + [.rename, .synchronize, .remove])
    #expect(try subject.names == ["todo.store"])
    // Where files have no second name, the old bytes are written again.
    #expect(throws: EndOfCommits.Failure()) {
      try subject.save(FaultyFiles(Fault(operation: Self.number(.link), code: EPERM)), until: EndOfCommits())
    }
    #expect(try subject.content == subject.old)
    #expect(try subject.names == ["todo.store"])
  }

  @Test(
    "A save whose file may not be on the disk is taken back, also without a second name, and where that is of no use",
    arguments: [
      (number(.link), replacing.count), (replacing.count, replacing.count + 1),
    ])
  func takenBackTwice(_ first: Int, _ second: Int) throws {
    let subject = try Subject("JSON")
    let error = StoreError(FileError(code: ENOSPC), writing: subject.path)
    #expect(throws: error) { try subject.save(FaultyFiles(Fault(operation: first, further: second))) }
    #expect(try subject.content == subject.old)
    #expect(try subject.names == ["todo.store"])
    try subject.save(SystemFiles())
    #expect(try subject.content != subject.old)
  }

  @Test("A failed save that cannot be undone reports that the file has its change")
  func notTakenBack() throws {
    let subject = try Subject("JSON")
    let full = ObjectStoreError.notTakenBack(
      path: subject.path, failure: CaughtError(EndOfCommits.Failure()),
      obstacle: CaughtError(StoreError(FileError(code: ENOSPC), writing: subject.path)))
    #expect(throws: full) {
      let fault = Fault(operation: Self.replacing.count + 1, endsTheProcess: true)
      try subject.save(FaultyFiles(fault), until: EndOfCommits())
    }
    #expect(try subject.content != subject.old)
    let other = Data("another program's".utf8)
    let second = try Subject("JSON")
    let end = EndOfCommits { try other.write(to: URL(fileURLWithPath: second.path)) }
    let replaced = ObjectStoreError.notTakenBack(
      path: second.path, failure: CaughtError(EndOfCommits.Failure()),
      obstacle: CaughtError(ObjectStoreError.replaced(path: second.path)))
    #expect(throws: replaced) { try second.save(SystemFiles(), until: end) }
    #expect(try second.content == other)
    #expect(try second.names == ["todo.store"])
  }

  @Test("A new file is complete or does not exist")
  func creation() throws {
    let bytes = try Subject("JSON").old
    let clean = try TemporaryFolder()
    let counting = FaultyFiles()
    try AtomicFile(path: clean.path("new.store"), counting).create(with: bytes)
    #expect(counting.operations == [.write, .synchronize, .link, .remove, .synchronize])
    for fault in Fault.all(of: counting.operations.count) {
      let folder = try TemporaryFolder()
      let path = folder.path("new.store")
      func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }
      let error = StoreError(FileError(code: fault.code), writing: path)
      #expect(throws: error, "\(fault)") { try AtomicFile(path: path, FaultyFiles(fault)).create(with: bytes) }
      let found = try? Data(contentsOf: URL(fileURLWithPath: path))
      #expect(found == nil || fault.endsTheProcess && found == bytes, "\(fault)")
      if !fault.endsTheProcess { #expect(try names() == [], "\(fault)") }
      guard found == nil else { continue }
      try AtomicFile(path: path, SystemFiles()).create(with: bytes)
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes && names() == ["new.store"], "\(fault)")
    }
  }

  @Test("The next writer of the file removes leftovers of a killed program, and nothing else")
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

  /// A store type whose objects cannot be read.
  private struct UnreadKind: StoreKind {
    let kind = JSONStoreKind()
    var name: String { kind.name }
    func recognizes(_ start: Data) -> Bool { kind.recognizes(start) }
    func metadata(in bytes: Data, path: String) throws -> StoreMetadata { try kind.metadata(in: bytes, path: path) }
    func document(in bytes: Data, of model: EntityHierarchy, path: String) throws -> StoreDocument {
      Issue.record("objects are read after an interruption")
      return try kind.document(in: bytes, of: model, path: path)
    }
    func bytes(of document: StoreDocument, model: EntityHierarchy) throws -> Data {
      try kind.bytes(of: document, model: model)
    }
  }

  @Test("Interrupting a reading does not wait for objects")
  func interruptedReading() throws {
    let subject = try Subject("JSON")
    #expect(throws: StoreError.interrupted(path: subject.path)) {
      try StoreMirror.of(
        subject.path, kinds: [UnreadKind()], identify: { _ in subject.versions[0] },
        waiting: .init(interruption: { true }))
    }
  }

  @Test("Errors of the temporary SQLite store are reported for the file")
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
