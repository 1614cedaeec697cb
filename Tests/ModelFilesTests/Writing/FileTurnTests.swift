import Foundation
import ModelFiles
import TestSupport
import Testing

@Suite("A file's place is taken at once, by one at a time")
struct FileTurnTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("contents")
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
  }

  private func content() throws -> String { String(decoding: try FileBytes.read(path), as: UTF8.self) }

  @Test("If two writers read the same bytes, one is refused")
  func changed() throws {
    try FileReplacement.write(Data("one".utf8), to: path, inPlaceOf: Data("old".utf8))
    #expect(throws: FileReplacement.Refusal.changed) {
      try FileReplacement.write(Data("two".utf8), to: path, inPlaceOf: Data("old".utf8))
    }
    #expect(try content() == "one")
  }

  @Test("The holder of the folder's lock writes without waiting, and waits for other processes")
  func nested() throws {
    let lock = FolderLock(folder.url.path)
    #expect(lock.holder == .this && FolderLock(folder.url.path, patience: 0).holder == .another)
    let start = ContinuousClock.now
    try FileReplacement.write(Data("own".utf8), to: path)
    #expect(ContinuousClock.now - start < .seconds(5))
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    other.arguments = ["flock", "--nonblock", "--conflict-exit-code", "9", folder.url.path, "true"]
    try other.run()
    other.waitUntilExit()
    #expect(other.terminationStatus == 9)
    withExtendedLifetime(lock) {}
  }

  @Test("Leftovers of a killed program next to the file are removed, and other files are kept")
  func leftovers() throws {
    let left = folder.path(".contents.\(UUID().uuidString).partial")
    let others = [".contents.notes.partial", ".other.\(UUID().uuidString).partial", "contents.partial"].map(folder.path)
    for path in [left] + others { try Data("x".utf8).write(to: URL(fileURLWithPath: path)) }
    try FileReplacement.write(Data("new".utf8), to: path)
    #expect(!FileManager.default.fileExists(atPath: left))
    #expect(others.allSatisfy(FileManager.default.fileExists))
    #expect(try content() == "new")
  }

  @Test("A link is followed, and mode and content of the file behind it are right")
  func links() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "contents")
    try FileReplacement.write(Data("new".utf8), to: link)
    #expect(try content() == "new")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    let broken = folder.path("broken")
    try FileManager.default.createSymbolicLink(atPath: broken, withDestinationPath: "nothing")
    #expect(throws: POSIXError.self) { try FileReplacement.write(Data("new".utf8), to: broken) }
    #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: broken)) == "nothing")
    #expect(mode == 0o640 && (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == "contents")
  }
}
