import Foundation
import GRDB
import PersistentStores
import StoreMigration

/// A store and what is to be done to it, over and over, each time with another fault.
struct FaultSubject {
  /// The operation to run.
  enum Run {
    case migration
    case rehearsal
    case planning
  }

  /// The store as it is before each run.
  let template: VersionedStore
  var run = Run.migration
  var strategy: MigrationStrategy?
  var keepsBackup = false
  /// The content of the store before and after.
  private(set) var old: StoreImage
  private(set) var new: StoreImage
  private let scratch: String
  /// The files beside the store that must stay, with their content: external data, and what only looks like a copy.
  let surroundings: [String: Data]

  init(
    _ template: VersionedStore, _ strategy: MigrationStrategy? = nil, keepsBackup: Bool = false, run: Run = .migration
  ) throws {
    for name in [".Store.sqlite.modelctl-1f", ".Store.sqlite.modelctl-00000000cafecafe", "Store.sqlite.modelctl-notes"]
    {
      try Data(name.utf8).write(to: template.directory.appendingPathComponent(name))
    }
    self.template = template
    self.strategy = strategy
    self.keepsBackup = keepsBackup
    self.run = run
    scratch = template.directory.path + "-image"
    surroundings = try template.files().filter { name, _ in
      name.contains("_EXTERNAL_DATA") || name.hasSuffix("-1f") || name.hasSuffix("cafe") || name.hasSuffix("-notes")
    }
    old = try StoreImage(copying: template.path, into: scratch)
    let store = try template.copy()
    let migrator = Self.migrator(of: store, strategy, keepsBackup: false, isRehearsal: false, SystemFiles())
    _ = try migrator.migrate()
    new = try StoreImage(copying: store.path, into: scratch)
  }

  func image(_ path: String) throws -> StoreImage { try StoreImage(copying: path, into: scratch) }

  /// The migration as it is run, with faults or without.
  func migrator(of store: VersionedStore, _ files: any FileOperations = SystemFiles()) -> StoreMigrator {
    Self.migrator(of: store, strategy, keepsBackup: keepsBackup, isRehearsal: run == .rehearsal, files)
  }

  /// What succeeds after whatever happened; it makes no backup, so that one that is there is of the run before.
  func nextMigrator(of store: VersionedStore) -> StoreMigrator {
    Self.migrator(of: store, strategy, keepsBackup: false, isRehearsal: false, SystemFiles())
  }

  private static func migrator(
    of store: VersionedStore, _ strategy: MigrationStrategy?, keepsBackup: Bool, isRehearsal: Bool,
    _ files: any FileOperations
  ) -> StoreMigrator {
    var request = store.migrator(
      MigrationOptions(strategy: strategy, allowedLosses: ["Event"]), keepsBackup: keepsBackup
    ).request
    request.now = 1000
    // Other tests start processes, which have all open files of this one until they become another program.
    request.busyTimeout = 5
    request.isRehearsal = isRehearsal
    request.files = files
    return StoreMigrator(request)
  }
}
