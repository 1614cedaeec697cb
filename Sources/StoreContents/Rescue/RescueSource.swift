import Foundation
import GRDB
import ModelDescription
import ModelFiles
import PersistentStores

/// An SQLite store that may be damaged, opened by SQLite if SQLite can read all of it, or else page by page.
final class RescueSource {
  private enum Access {
    case sound(StoreReader)
    case pages(RecoveredStore)
  }

  let path: String
  /// The damage that keeps SQLite from reading it.
  let damage: [String]
  /// The metadata; nil if they cannot be read.
  private(set) var metadata: StoreMetadata?
  /// The error of reading it.
  private(set) var metadataError: StoreError?
  private(set) var cached = CachedModel.absent
  private(set) var columns = StoreColumns.none
  private(set) var snapshot: StoreSnapshot
  private let access: Access

  /// Opens a store.
  ///
  /// - Throws: `StoreError` for a file that is not an SQLite database, and for a store in use.
  init(
    _ path: String, busyTimeout: Double, isInterrupted: @escaping @Sendable () -> Bool, readsPages: Bool = false
  ) throws {
    self.path = path
    var cause: StoreError?
    var details: [String] = []
    var reader: StoreReader?
    if !readsPages {
      do {
        let opened = try StoreReader(path: path, busyTimeout: busyTimeout, interruption: isInterrupted)
        details = try opened.read { try IntegrityCheck.pageProblems(in: $0) }.map(\.sentence)
        // A schema that SQLite reads, and we do not, is found here.
        if details.isEmpty {
          _ = try opened.snapshot(counting: false)
          reader = opened
        } else {
          opened.close()
        }
      } catch let error as StoreError where error.mayBeDamage {
        cause = error
        details = [error.cause]
      }
    }
    if let reader {
      access = .sound(reader)
      snapshot = try reader.snapshot(counting: false)
    } else {
      guard let recovered = try RecoveredStore(of: path, isInterrupted: isInterrupted) else {
        throw cause ?? StoreError.corrupt(path: path, detail: details.first ?? "no page of it can be read")
      }
      access = .pages(recovered)
      snapshot = try recovered.queue.inDatabase { try StoreSnapshot(reading: $0, counting: false) }
    }
    damage = details
    try read { database in
      do throws(StoreError) {
        metadata = try StoreMetadata(reading: database, path: path)
      } catch {
        metadataError = error
      }
      cached = (try? CachedModel(reading: database)) ?? .absent
      columns = (try? StoreColumns(reading: database)) ?? .none
    }
    // What is no database at all has neither a list of tables nor anything of Core Data's.
    if let cause, let recovered, !recovered.isWholeSchema, metadata == nil, snapshot.entityRows.isEmpty,
      snapshot.tables.allSatisfy({ $0.isSystem })
    {
      switch cause {
      case .notSQLite(_, .unknown), .notSQLite(_, .damagedHeader): break
      default: throw cause
      }
    }
  }

  /// The pages, if SQLite cannot read the store.
  var recovered: RecoveredStore? { if case .pages(let recovered) = access { recovered } else { nil } }

  /// Reads rows.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    switch access {
    case .sound(let reader): try reader.read(body)
    case .pages(let recovered): try StoreError.translating(path: path) { try recovered.queue.inDatabase(body) }
    }
  }

  /// Reads the rows of all pages, if the store is read page by page.
  ///
  /// - Returns: the losses.
  func fill(_ layout: SQLStoreLayout) throws -> [RecoveredStore.Loss] {
    guard case .pages(let recovered) = access else { return [] }
    let losses = try recovered.fill(layout)
    snapshot = try recovered.queue.inDatabase { try StoreSnapshot(reading: $0, counting: false) }
    return losses
  }

  func close() { if case .sound(let reader) = access { reader.close() } }
}

extension StoreError {
  /// Whether reading page by page may succeed in spite of the error.
  var mayBeDamage: Bool {
    switch self {
    case .notSQLite(_, .text), .notSQLite(_, .swiftSource), .notSQLite(_, .xml), .notSQLite(_, .propertyList): false
    case .corrupt, .truncated, .notSQLite, .sqlite, .staleIndexes: true
    case .empty(_, let logBytes): logBytes > 0
    case .inputOutput(_, .sqlite): true
    default: false
    }
  }
}

/// The entity numbers of a store, with missing numbers added.
struct RescueNumbers {
  /// The numbers by which rows are read.
  let numbers: [String: Int]
  /// The entities whose number is missing or wrong in the store.
  let repaired: [String]

  init(of hierarchy: EntityHierarchy, in snapshot: StoreSnapshot, hasRows: (_ entity: String, _ number: Int) -> Bool) {
    let bound = BoundLayout(of: hierarchy, to: snapshot)
    let fresh = Dictionary(
      SQLStoreLayout(of: hierarchy).entityNumbers.map { ($0.name, $0.number) }
    ) { first, _ in first }
    let missing = Set(bound.deviations.compactMap { if case .missingEntity(let name) = $0 { name } else { nil } })
    var known = Dictionary(
      bound.layout.entityNumbers.filter { !missing.contains($0.name) }.map { ($0.name, $0.number) }
    ) { first, _ in first }
    for (_, names) in Dictionary(grouping: known.keys, by: { known[$0] ?? 0 }) where names.count > 1 {
      for name in names where known[name] != fresh[name] { known[name] = nil }
    }
    for (name, number) in known where number <= 0 { known[name] = nil }
    // One number that differs, where all others are those of a fresh store, is wrong unless rows have it.
    let odd = known.filter { $0.value != fresh[$0.key] }
    if odd.count == 1, known.count > 1, let (name, number) = odd.first, let right = fresh[name],
      !known.values.contains(right), !hasRows(name, number)
    {
      known[name] = nil
    }
    var used = Set(known.values)
    var next = (used.max() ?? 0) &+ 1
    var completed = known
    let agrees = known.allSatisfy { $0.value == fresh[$0.key] }
    for entity in hierarchy.numberedEntities where known[entity.name] == nil {
      var number = fresh[entity.name] ?? next
      if !agrees && !hasRows(entity.name, number) || used.contains(number) {
        number = next
        next &+= 1
      }
      used.insert(number)
      completed[entity.name] = number
    }
    numbers = completed
    repaired = hierarchy.numberedEntities.map(\.name).filter { known[$0] == nil }
  }
}
