import Foundation
import GRDB
import MappingModels
import ModelDescription
import PersistentStores
public import StoreRows

/// Tells those who observe a store that it changed.
///
/// A save of the same `ObjectStore` says what it changed. Of others only that there was one is seen, by SQLite's count of
/// commits by other connections, which is looked at four times a second while somebody observes.
final class StoreNews: @unchecked Sendable {
  /// One thing to tell.
  enum Item: Sendable {
    /// The store's own save.
    case save(StoreSave)
    /// Another connection or another process committed something.
    case elsewhere
  }

  /// What is looked at; where another file has the store's name the next reading says so.
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

  /// - Parameter open: opens a connection that only reads, for looking after others.
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

  /// Looks whether another connection committed something, until the task is cancelled or the store cannot be read, which
  /// the next reading reports.
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
      // What was committed before the first look may have come after the first reading.
      if look != known { changed() }
      known = look
      try? await Task.sleep(for: interval)
    }
  }
}

/// Which saves may change the objects that a request gives.
struct RequestInterest: Sendable {
  /// The root entity whose rows alone the request reads; nil where it follows relationships, or its objects have values that
  /// are derived from others.
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

  /// True when the objects may be others after it.
  func covers(_ item: StoreNews.Item) -> Bool {
    guard case .save(let save) = item, let root else { return true }
    return [save.inserted, save.updated, save.deleted].joined().contains { hierarchy.rootName(of: $0.entity) == root }
  }
}

/// What a save of this program changed, objects that delete rules and inverses reached among them.
public struct StoreSave: Hashable, Sendable {
  /// The new objects, in the order in which they were inserted.
  public let inserted: [RecordID]
  /// The objects that changed, by entity and key.
  public let updated: [RecordID]
  /// The objects that are gone, by entity and key.
  public let deleted: [RecordID]
  /// The decimal numbers that the store keeps in fewer digits.
  public let rounded: [RoundedDecimal]
  /// The links that were emptied in a store of another kind than SQLite, as they lead to objects which are not there.
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
