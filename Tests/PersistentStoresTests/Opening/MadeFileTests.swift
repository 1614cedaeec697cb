import Foundation
import GRDB
import GRDBSQLite
import PersistentStores
import TestSupport
import Testing

@Suite("A new file is identified by the file itself, not by its name")
struct MadeFileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let outside: String
  private let made: MadeFile

  init() throws {
    folder = try TemporaryFolder()
    (path, outside) = (folder.path("made"), folder.path("outside"))
    let real = StoreFiles.realPath(of: folder.url.path) + "/made"
    made = MadeFile(real, try SystemFiles().create(path, like: nil))
  }

  /// Opens the file and makes a table in it.
  private func use() throws {
    let queue = try made.open(made.configuration)
    defer { try? queue.close() }
    try queue.write { try $0.execute(sql: "CREATE TABLE t (a)") }
  }

  @Test("It is opened as long as it has its name")
  func opened() throws {
    try use()
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > 0)
  }

  @Test("A replacement of the file is not opened, and the target of a link is not changed and not created")
  func replaced() throws {
    unlink(path)
    #expect(throws: (any Error).self) { try use() }
    #expect(FileStatus(path) == nil)
    symlink(outside, path)
    #expect(throws: (any Error).self) { try use() }
    #expect(FileStatus(outside) == nil)
    try Data().write(to: URL(fileURLWithPath: outside))
    #expect(throws: StoreError.changedWhileReading(path: made.path)) { try use() }
    unlink(path)
    #expect(link(outside, path) == 0)
    #expect(throws: StoreError.changedWhileReading(path: made.path)) { try use() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: outside)).isEmpty)
  }

  @Test("It has the owner and the mode of its model without special bits, and is created only at a free path")
  func permissions() throws {
    let model = folder.path("model")
    try Data("text".utf8).write(to: URL(fileURLWithPath: model))
    for mode: mode_t in [0o600, 0o640, 0o4755] {
      chmod(model, mode)
      let place = folder.path("like \(mode)")
      try SystemFiles().write(Data("more".utf8), to: place, like: model)
      var status = stat()
      #expect(stat(place, &status) == 0 && status.st_mode & 0o7777 == mode & 0o777)
      #expect(throws: FileError(code: EEXIST)) { try SystemFiles().create(place, like: model) }
    }
    symlink(outside, folder.path("link"))
    #expect(throws: FileError(code: EEXIST)) { try SystemFiles().create(folder.path("link"), like: model) }
    #expect(FileStatus(outside) == nil)
  }

  @Test("A pipe in the place of a file is an error and not waited for")
  func pipe() throws {
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(ExternalData.content(ofFile: pipe) == nil)
    #expect(throws: FileError.self) { try SystemFiles().append(Data("more".utf8), to: pipe) }
    _ = try? SystemFiles().synchronize(pipe)
  }
}
