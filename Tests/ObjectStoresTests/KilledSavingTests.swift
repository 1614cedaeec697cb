import Foundation
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

/// `MODELCTL_TORTURE=1` kills a hundred times.
@Suite("Programs that save data in files of its own", .serialized)
struct KilledSavingTests {
  private static let isFull = ProcessInfo.processInfo.environment["MODELCTL_TORTURE"] != nil

  /// A store that other processes save photos in.
  private struct Album {
    let folder: TemporaryFolder
    var path: String { folder.path("album.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    /// Starts a process, which reports its saves in a file of this name.
    func start(saves: Int, reporting name: String = "saves") throws -> Process {
      let reports = folder.url.appendingPathComponent(name)
      try Data().write(to: reports)
      let process = Process()
      process.executableURL = try #require(BuildFolder.url).appendingPathComponent("ObjectSaver")
      process.arguments = [path, "\(saves)"]
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try FileHandle(forWritingTo: reports)
      try process.run()
      return process
    }

    /// How many saves a process has reported.
    func reported(_ name: String = "saves") throws -> Int {
      let text = String(decoding: try Data(contentsOf: folder.url.appendingPathComponent(name)), as: UTF8.self)
      return text.split(separator: "\n").count
    }

    func open() throws -> ObjectStore {
      var options = OpeningOptions()
      options.busyTimeout = 60
      return try ObjectStore.open(path, model: PhotoAlbum.model, options: options)
    }

    /// Expects a sound store whose photos have a file each, and nothing else beside it.
    func check(photos: Int, of store: ObjectStore) throws {
      let reader = try StoreReader(path: path)
      defer { reader.close() }
      #expect(try reader.verify(against: store.hierarchy) == [])
      let files = ExternalData.folder(ofStore: path)
      #expect(try FileManager.default.contentsOfDirectory(atPath: files).count == photos)
      let support = (files as NSString).deletingLastPathComponent
      #expect(try FileManager.default.contentsOfDirectory(atPath: support) == ["_EXTERNAL_DATA"])
    }
  }

  @Test("A killed program has saved everything it reported, and leaves no file without a row")
  func killed() throws {
    var generator = SeededGenerator(seed: 14)
    var total = 0
    for _ in 0..<(Self.isFull ? 100 : 1) {
      let album = try Album()
      let process = try album.start(saves: 5_000)
      while try album.reported() == 0, process.isRunning { usleep(1_000) }
      usleep(UInt32.random(in: 1_000...300_000, using: &generator))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal)
      let saves = try album.reported()
      let store = try album.open()
      let photos = try store.fetch(RecordRequest("Photo"))
      #expect(photos.count == saves || photos.count == saves + 1, "\(saves) saves, \(photos.count) photos")
      for (position, photo) in photos.enumerated() {
        #expect(photo["number"] == .number(Int64(position + 1)))
        let name = try #require(photo["data"]?.externalFile)
        let data = FileManager.default.contents(atPath: "\(ExternalData.folder(ofStore: album.path))/\(name)")
        // The next save gave it the data of the next photo.
        let isWhole = data == PhotoAlbum.data(min(position + 2, photos.count))
        #expect(isWhole, "photo \(position + 1) of \(photos.count)")
      }
      try store.close()
      try album.check(photos: photos.count, of: store)
      total += saves
    }
    print("kill -9, saves of external data: \(total) saves reported")
    #expect(total > 0)
  }

  @Test("If several tasks create one store together, one creates it, and all save in it")
  func madeTogether() throws {
    let album = try Album()
    let names = ["first", "second", "third"]
    let processes = try names.map { try album.start(saves: 4, reporting: $0) }
    let store = try album.open()
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
    #expect(try names.map { try album.reported($0) } == [4, 4, 4])
    #expect(try store.fetch(RecordRequest("Photo")).map(\.id.key) == Array(1...12))
    try store.close()
    try album.check(photos: 12, of: store)
  }
}
