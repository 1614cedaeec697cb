import Foundation
import GRDB
import ModelDescription
import ModelFiles
import TestSupport
import Testing

@testable import PersistentStores

@Suite("A new file has a folder of its own next to its path, and a killed program does not leave it forever")
struct StagingFolderTests {
  private let folder: TemporaryFolder
  private let place: String
  private let staging: String

  init() throws {
    folder = try TemporaryFolder()
    (place, staging) = (folder.path("notes.sqlite"), folder.path(".notes.sqlite.modelctl.partial"))
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test("The folder is removed with the value")
  func removal() throws {
    let made = try StagingFolder(beside: place)
    #expect(made.path == staging)
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(staging)/notes.sqlite"))
    #expect(try names == [".notes.sqlite.modelctl.partial"])
    made.remove()
    #expect(try names == [])
    do {
      let second = try StagingFolder(beside: place)
      #expect(try names.count == 1)
      withExtendedLifetime(second) {}
    }
    #expect(try names == [])
  }

  @Test("The folder that a killed program left is emptied and used")
  func leftover() throws {
    try FileManager.default.createDirectory(
      atPath: "\(staging)/sub", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(staging)/notes.sqlite"))
    let made = try StagingFolder(beside: place)
    #expect(try FileManager.default.contentsOfDirectory(atPath: made.path) == [])
    withExtendedLifetime(made) {}
  }

  @Test("While a process holds the folder, no other process creates the same file, and its content is kept")
  func another() throws {
    let first = try StagingFolder(beside: place)
    let file = URL(fileURLWithPath: "\(staging)/notes.sqlite")
    try Data("half".utf8).write(to: file)
    let error = StoreCreationError.beingMade(path: place, folder: staging)
    #expect(throws: error) { try StagingFolder(beside: place, patience: 0.05) }
    #expect(try Data(contentsOf: file) == Data("half".utf8))
    #expect(error.advice?.text.hasSuffix("rm -r \(staging)") == true)
    withExtendedLifetime(first) {}
  }

  @Test("A waiting process gets the folder after the first process, and finds its result")
  func waiting() async throws {
    let first = try StagedStore(for: place)
    try Data("whole".utf8).write(to: URL(fileURLWithPath: first.path))
    let place = place
    async let second = Self.refusal(of: place)
    try await Task.sleep(for: .milliseconds(50))
    try first.publish()
    #expect(await second == .exists(path: place))
    #expect(try names == ["notes.sqlite"])
  }

  /// Why another store of the name is not begun, in a thread of its own; nil where it is.
  private static func refusal(of place: String) async -> StoreCreationError? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        do throws(StoreCreationError) {
          try StagedStore(for: place).discard()
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: error)
        }
      }
    }
  }

  @Test("A store whose log cannot be written into it is not made")
  func unfinishedLog() throws {
    let staged = try StagedStore(for: place)
    let pool = try DatabasePool(path: staged.path)
    try pool.write { try $0.execute(sql: "CREATE TABLE a (b); INSERT INTO a VALUES (1)") }
    let reader = try DatabaseQueue(path: staged.path)
    try reader.read { database in
      _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM a")
      try pool.write { try $0.execute(sql: "INSERT INTO a VALUES (2)") }
      try pool.close()
      #expect(throws: StoreCreationError.self) { try staged.publish() }
    }
    #expect(FileStatus(place) == nil)
    try reader.close()
    try staged.publish()
    #expect(try names == ["notes.sqlite"])
  }

  @Test("A folder that another process replaced is not removed by its name")
  func replaced() throws {
    let first = try StagingFolder(beside: place)
    try FileManager.default.moveItem(atPath: staging, toPath: folder.path("elsewhere"))
    let second = try StagingFolder(beside: place)
    first.remove()
    #expect(FileManager.default.fileExists(atPath: second.path))
  }

  @Test("A link or a file in the place of the folder is not followed", arguments: [true, false])
  func otherThings(isLink: Bool) throws {
    let other = folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    try Data("kept".utf8).write(to: URL(fileURLWithPath: "\(other)/kept"))
    if isLink {
      try FileManager.default.createSymbolicLink(atPath: staging, withDestinationPath: other)
    } else {
      try Data().write(to: URL(fileURLWithPath: staging))
    }
    #expect(throws: StoreCreationError.foreignFolder(path: place, folder: staging)) {
      try StagingFolder(beside: place, patience: 0)
    }
    #expect(FileManager.default.fileExists(atPath: "\(other)/kept"))
    #expect(FileStatus(staging) != nil)
  }

  @Test("A folder that is missing or may not be written is named as such")
  func unusable() throws {
    let lost = folder.path("no/notes.sqlite")
    #expect(throws: StoreCreationError.folder(path: lost)) { try StagingFolder(beside: lost) }
    #expect(throws: StoreCreationError.folder(path: lost)) { try StagedStore(for: lost) }
    try Data().write(to: folder.url.appendingPathComponent("file"))
    for place in ["file/notes.sqlite", "file/deep/notes.sqlite"].map(folder.path) {
      let error = StoreCreationError.notAFolder(path: place)
      #expect(throws: error) { try StagedStore(for: place) }
      #expect("\(error)" == "\(place): the path of its folder leads to a file; choose another path")
    }
  }
}

@Suite("A folder for private temporary files", .serialized)
struct TemporaryStoreFolderTests {
  @Test("A folder that was removed before the lock is created again")
  func removedBeforeItsLock() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("removed")
    let lock = FolderLock(path)
    #expect(!lock.isOf(path))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(FolderLock(path).isOf(path))
  }

  @Test("It is removed with the value, and only its owner can read it")
  func lifetime() throws {
    let url: URL
    do {
      let folder = try TemporaryStoreFolder()
      url = folder.url
      let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
      try Data("text".utf8).write(to: URL(fileURLWithPath: folder.path(of: "file")))
      withExtendedLifetime(folder) {}
    }
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }
}
