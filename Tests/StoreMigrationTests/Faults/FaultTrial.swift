import Foundation
import MappingModels
import ModelDescription
import PersistentStores
import StoreMigration

/// One run with one fault, and what is found afterwards.
struct FaultTrial {
  let subject: FaultSubject
  let point: FaultPoint
  /// The operations of the run.
  private(set) var operations = 0
  /// True when the disk failed at the commit, so that the new store is there and nobody could say so.
  private(set) var isUnconfirmed = false
  /// The operation that went wrong.
  private(set) var struck: String?
  /// What must never be, one line each.
  private(set) var losses: [String] = []

  private enum Outcome {
    case finished
    case failed(any Error)
    /// The process died, so that nobody was told anything.
    case unknown
  }

  /// Runs it.
  init(_ subject: FaultSubject, _ point: FaultPoint) throws {
    self.subject = subject
    self.point = point
    let store = try subject.template.copy()
    let disk = try FaultyDisk(folder: store.directory.path, point)
    var outcome = Outcome.finished
    do {
      switch subject.run {
      case .migration, .rehearsal: _ = try subject.migrator(of: store, disk).migrate()
      case .planning: _ = try subject.migrator(of: store, disk).plan()
      }
    } catch {
      outcome = .failed(error)
    }
    operations = disk.count
    struck = disk.struck
    try disk.recover()
    if point.kind.endsTheProcess, point.operation > 0, point.operation <= operations { outcome = .unknown }
    do {
      try check(store, outcome)
    } catch {
      losses.append("the store cannot be used: \(error)")
    }
  }

  private mutating func check(_ store: VersionedStore, _ outcome: Outcome) throws {
    let image = try subject.image(store.path)
    let isNew = image == subject.new && subject.run == .migration
    if !isNew, image != subject.old {
      losses.append("neither old nor new: \(image.differences(from: subject.old))")
    }
    switch outcome {
    case .finished:
      if subject.run == .migration, !isNew { losses.append("it succeeded and the store is the old one") }
    case .failed(let error):
      isUnconfirmed = isNew && Self.isOfCommit(error, subject)
      if isNew, !isUnconfirmed { losses.append("it failed and the store is the new one: \(error)") }
      if !Self.hasWords(error) { losses.append("an error without words: \(error)") }
    case .unknown: break
    }
    try checkBackups(store, isNew: isNew)
    try checkReading(store, image)
    try checkNext(store)
  }

  /// Where a backup has its files of external data.
  private static let support = ".Store.sqlite.v1_SUPPORT"

  /// A backup that is there is whole; with the new store in place the old one must be there if that was wanted.
  private mutating func checkBackups(_ store: VersionedStore, isNew: Bool) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: store.directory.path)
    let backups = names.filter { $0.hasPrefix("Store.sqlite.v1.backup") }
    for name in backups {
      let backup = try subject.image(store.directory.appendingPathComponent(name).path)
      if backup != subject.old { losses.append("\(name) is not the old store") }
      for (path, content) in subject.surroundings where path.hasPrefix(".Store_SUPPORT/") {
        let kept = store.directory.appendingPathComponent(
          path.replacingOccurrences(of: ".Store_SUPPORT", with: Self.support))
        if try Data(contentsOf: kept) != content { losses.append("\(name) has another file \(path)") }
      }
    }
    if subject.keepsBackup, isNew, backups.isEmpty { losses.append("the old store is gone and there is no backup") }
  }

  /// The program itself sees what plain SQLite sees, and changes nothing by looking.
  private mutating func checkReading(_ store: VersionedStore, _ image: StoreImage) throws {
    let before = try store.files().filter { !$0.key.hasSuffix("-shm") }
    let reader = try StoreReader(path: store.path, busyTimeout: 0)
    let seen = try reader.read { try StoreImage(reading: $0) }
    reader.close()
    if seen != image { losses.append("the reader sees something else: \(seen.differences(from: image))") }
    let after = try store.files().filter { !$0.key.hasSuffix("-shm") }
    if before != after { losses.append("reading changed the files") }
  }

  /// The next run gives the new store and leaves nothing of the one before.
  private mutating func checkNext(_ store: VersionedStore) throws {
    let result = try subject.nextMigrator(of: store).migrate().result
    let image = try subject.image(store.path)
    if image != subject.new { losses.append("the next run gave: \(image.differences(from: subject.new))") }
    let files = try store.files()
    for (name, content) in subject.surroundings where files[name] != content { losses.append("\(name) is gone") }
    var expected = Set(subject.surroundings.keys).union(["Store.sqlite"])
    // A journal whose header is wiped says nothing; SQLite leaves it under an exclusive lock and where an app wants it.
    if files["Store.sqlite-journal"]?.first ?? 0 == 0 { expected.insert("Store.sqlite-journal") }
    // Where nothing was left to do, what SQLite keeps beside the store stays as it was.
    if result == .alreadyCurrent { expected.formUnion(["Store.sqlite-wal", "Store.sqlite-shm"]) }
    let hasBackup = files.keys.contains { $0.hasPrefix("Store.sqlite.v1.backup") }
    let left = files.keys.filter { name in
      let isOfBackup = name.hasPrefix("Store.sqlite.v1.backup") || name.hasPrefix("\(Self.support)/_EXTERNAL_DATA/")
      return !expected.contains(name) && !(hasBackup && isOfBackup)
    }
    if !left.isEmpty { losses.append("left behind: \(left.sorted().map { "\($0), \(files[$0]?.count ?? 0) bytes" })") }
  }

  /// SQLite cannot tell either what lies on a disk that fails to synchronise the end of a journal.
  private static func isOfCommit(_ error: any Error, _ subject: FaultSubject) -> Bool {
    guard subject.strategy == .inPlace, case .inputOutput? = error as? StoreError else { return false }
    return true
  }

  private static func hasWords(_ error: any Error) -> Bool {
    switch error {
    case let error as StoreError: !error.description.isEmpty
    case let error as MigrationError: !error.description.isEmpty
    default: false
    }
  }
}
