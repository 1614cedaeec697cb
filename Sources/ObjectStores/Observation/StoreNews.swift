import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
public import StoreRows

/// Notifies the observers of a store of changes.
///
/// A save of the same `ObjectStore` lists its changes. Other saves are only detected by SQLite's count of commits by
/// other connections, which is read four times a second while there are observers.
final class StoreNews: @unchecked Sendable {
  /// A notification.
  enum Item: Sendable {
    /// The store's own save.
    case save(StoreSave)
    /// A commit of a different connection or another process.
    case elsewhere
  }

  /// The observed file state; if a different file has the store's name, the next reading reports it.
  private struct Look: Hashable {
    let version: Int64?
    let hasMoved: Bool
  }

  private static let interval = Duration.milliseconds(250)

  private let lock = NSLock()
  private var listeners: [Int: @Sendable (Item) -> Void] = [:]
  private var count = 0
  private var watch: Task<Void, Never>?
  private let open: @Sendable () throws -> DatabaseQueue

  /// - Parameter open: opens a read-only connection to detect other commits.
  init(_ open: @escaping @Sendable () throws -> DatabaseQueue) { self.open = open }

  func begin(_ listener: @escaping @Sendable (Item) -> Void) -> Int {
    lock.withLock {
      count += 1
      listeners[count] = listener
      if watch == nil {
        let tell: @Sendable () -> Void = { [weak self] in self?.tell(.elsewhere) }
        watch = Task { [open] in await Self.look(open, tell) }
      }
      return count
    }
  }

  func end(_ number: Int) {
    lock.withLock {
      listeners[number] = nil
      guard listeners.isEmpty else { return }
      watch?.cancel()
      watch = nil
    }
  }

  func tell(_ item: Item) { for listener in lock.withLock({ Array(listeners.values) }) { listener(item) } }

  /// Detects commits of other connections, until the task is cancelled or the store cannot be read.
  ///
  /// The next reading reports that error.
  private static func look(_ open: @Sendable () throws -> DatabaseQueue, _ changed: @Sendable () -> Void) async {
    guard let queue = try? open() else { return }
    defer { try? queue.close() }
    var known: Look?
    while !Task.isCancelled {
      let look = try? await queue.unsafeRead { database in
        Look(
          version: try Int64.fetchOne(database, sql: "PRAGMA data_version"),
          hasMoved: try StoreWriter.hasMoved(database))
      }
      // A commit before the first check may be later than the first reading.
      if look != known { changed() }
      known = look
      try? await Task.sleep(for: interval)
    }
  }
}

/// The saves that may change the objects of a request.
struct RequestInterest: Sendable {
  /// The only root entity whose rows the request reads; nil if it follows relationships, or its objects have values
  /// derived from others.
  private let root: String?
  private let hierarchy: EntityHierarchy

  init(_ request: RecordRequest, in hierarchy: EntityHierarchy) {
    self.hierarchy = hierarchy
    let relationships = Set(hierarchy.model.entities.flatMap(\.relationships).map(\.name))
    let texts = [request.predicate?.description].compactMap { $0 } + request.sort.map(\.keyPath)
    let words = texts.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }.map(String.init)
    let derives = hierarchy.model.entities.contains { entity in
      hierarchy.isEntity(entity.name, kindOf: request.entity) && entity.attributes.contains { $0.derivation != nil }
        || hierarchy.isEntity(request.entity, kindOf: entity.name)
          && entity.attributes.contains { $0.derivation != nil }
    }
    let isAlone = !derives && relationships.isDisjoint(with: words) && hierarchy.entity(named: request.entity) != nil
    root = isAlone ? hierarchy.rootName(of: request.entity) : nil
  }

  /// True if a notification may change the objects.
  func covers(_ item: StoreNews.Item) -> Bool {
    guard case .save(let save) = item, let root else { return true }
    return [save.inserted, save.updated, save.deleted].joined().contains { hierarchy.rootName(of: $0.entity) == root }
  }
}

/// The changes of a save of this process, including objects changed by delete rules and inverses.
public struct StoreSave: Hashable, Sendable {
  /// The new objects, in the order of their insertion.
  public let inserted: [RecordID]
  /// The objects that changed, by entity and key.
  public let updated: [RecordID]
  /// The objects that are gone, by entity and key.
  public let deleted: [RecordID]
  /// The decimal numbers that the store keeps with fewer digits.
  public let rounded: [RoundedDecimal]
  /// The dangling links that were removed from an atomic store.
  public let linksToNothing: [LinkToNothing]

  init(_ saving: Saving) {
    let writes = saving.writes
    (inserted, deleted) = (writes.insertions.map(\.id), writes.deletions.map(\.id))
    let written = writes.updates.map(\.id)
    let emptied = Set(saving.linksToNothing.map(\.object)).subtracting(inserted).subtracting(written)
    updated = written + emptied.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    (rounded, linksToNothing) = (saving.rounded, saving.linksToNothing)
  }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
