import Foundation
import GRDB
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite(
  "Persistent history of a store's copy decodes as the original's", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct CorpusHistoryReplayTests {
  /// A store of the corpus that has rows of history.
  private struct Original {
    let folder: TemporaryFolder
    let name: String
    let saves: [HistoryTransaction]
    /// The updates of all saves, with what the column has.
    let updates: [(change: HistoryChange, bytes: Data)]
    var path: String { folder.path("store.sqlite") }

    /// - Returns: nil for a store without history, and for one that does not say what its model is.
    init?(_ file: URL) throws {
      folder = try TemporaryFolder()
      name = file.path
      let path = folder.path("store.sqlite")
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
        try FileManager.default.copyItem(atPath: file.path + suffix, toPath: path + suffix)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + suffix)
      }
      let reader = try StoreReader(path: path)
      let hasRows = try reader.read { database in
        try database.tableExists("ACHANGE") && Int.fetchOne(database, sql: "SELECT COUNT(*) FROM ACHANGE") ?? 0 > 0
      }
      let isKnown = try hasRows && reader.identify(among: []).model != nil
      reader.close()
      guard isKnown else { return nil }
      let store = try ObjectStore.open(at: path)
      defer { try? store.close() }
      saves = try store.history()
      updates = try CorpusHistoryReplayTests.updates(saves, in: path)
    }
  }

  /// The properties of an entity that an update has.
  private struct Form: Hashable {
    let entity: String
    let properties: Set<String>
  }

  private struct Tally {
    var (stores, insertions, updates, forms, sameBytes) = (0, 0, 0, 0, 0)
  }

  @Test("Inserts name each object, an update names its changes, and the same update has the original's bits")
  func replay() throws {
    let files = ["swiftdata", "stores"].flatMap { folder in
      Corpus.files(in: folder) { $0.hasSuffix("sqlite") || $0.hasSuffix("store") }
    }
    let originals = try files.compactMap { try Original($0) }
    // Few have updates, of which there is most to see.
    let chosen =
      originals.filter { !$0.updates.isEmpty } + CorpusSample.of(originals.filter(\.updates.isEmpty), atMost: 2)
    var tally = Tally()
    for original in chosen { try replay(original, &tally) }
    print(
      "history replayed: \(tally.insertions) insertions, \(tally.updates) updates of one attribute, \(tally.forms)",
      "updates as the original has them, \(tally.sameBytes) of them with its bits, in \(tally.stores) of",
      "\(CorpusSample.scope(chosen.count, of: originals.count)) stores that have rows of history")
    #expect(tally.stores > CorpusSample.least(5, sampled: 3))
    #expect(tally.insertions > CorpusSample.least(1500, sampled: 300))
    #expect(tally.updates > 20 && tally.forms > 2 && tally.sameBytes > 2)
  }

  private func replay(_ original: Original, _ tally: inout Tally) throws {
    let own = try ObjectStore.open(at: original.path)
    var dump = try CorpusDump(own)
    let hierarchy = own.hierarchy
    try own.close()
    let path = original.folder.path("copy.sqlite")
    let copy = try ObjectStore.open(path, model: hierarchy.model)
    defer { try? copy.close() }
    try HistoryTables.add(to: path)
    let author = original.saves.compactMap(\.author).last
    guard let ids = try dump.write(to: copy, author: author, original.name) else { return }
    tally.stores += 1
    tally.insertions += try insertions(of: copy, path, original, ids, author)

    // Of each kind of object one, then the next.
    let known = dump.objects.keys.sorted { ($0.key, $0.entity) < ($1.key, $1.entity) }
    var changes: [RecordID: [String: RecordValue]] = [:]
    for id in known where changes.count < 20 {
      let others = Self.others(of: id, in: dump, hierarchy).sorted { $0.key < $1.key }
      guard !others.isEmpty else { continue }
      let (name, value) = others[changes.count % others.count]
      changes[id] = [name: value]
    }
    _ = try update(changes, of: copy, path, ids, original.name)
    for (id, values) in changes { dump.objects[id]?.merge(values) { $1 } }
    tally.updates += changes.count

    for (form, bytes) in Self.forms(of: original, hierarchy) {
      guard let (id, values) = Self.change(as: form, of: known, in: dump, hierarchy) else { continue }
      let found = try update([id: values], of: copy, path, ids, original.name)
      dump.objects[id]?.merge(values) { $1 }
      tally.forms += 1
      guard let ours = found.first, ours.count == bytes.count else { continue }
      #expect(ours == bytes, "\(original.name): \(form)")
      tally.sameBytes += 1
    }
  }

  /// Expects one save that inserts every object, and nothing else; says how many there are.
  private func insertions(
    of copy: ObjectStore, _ path: String, _ original: Original, _ ids: [RecordID: RecordID], _ author: String?
  ) throws -> Int {
    let saves = try copy.history(after: HistoryTables.lastTransaction)
    #expect(saves.map(\.author) == [author ?? RecordWriting.Author().name], "\(original.name)")
    let changes = saves.flatMap(\.changes)
    #expect(changes.allSatisfy { $0.kind == .insert && $0.properties.isEmpty }, "\(original.name)")
    let inserted = Set(changes.compactMap(\.object))
    #expect(changes.count == ids.count && inserted == Set(ids.values), "\(original.name)")
    for change in original.saves.flatMap(\.changes) where change.kind == .insert {
      guard let object = change.object, let new = ids[object] else { continue }
      #expect(inserted.contains(new) && new.entity == object.entity, "\(original.name): \(object)")
    }
    // The same by the store's own names of its entities.
    let rows = try Self.rows(
      """
      SELECT Z_NAME, ZENTITYPK FROM ACHANGE JOIN Z_PRIMARYKEY ON Z_PRIMARYKEY.Z_ENT = ACHANGE.ZENTITY
      WHERE ZCHANGETYPE = 0
      """, in: path)
    #expect(Set(rows.map { RecordID(entity: $0[0], key: $0[1]) }) == Set(ids.values), "\(original.name)")
    return changes.count
  }

  /// Changes objects in one save, and expects that history has exactly that; gives what its column has of each.
  private func update(
    _ changes: [RecordID: [String: RecordValue]], of copy: ObjectStore, _ path: String, _ ids: [RecordID: RecordID],
    _ name: String
  ) throws -> [Data] {
    var wanted: [RecordID: Set<String>] = [:]
    let last = try copy.history().last?.number ?? HistoryTables.lastTransaction
    try copy.write { transaction in
      for (id, values) in changes {
        guard let new = ids[id] else { continue }
        wanted[new] = Set(values.keys)
        try transaction.update(new, values)
      }
    }
    let saves = try copy.history(after: last)
    let updates = try Self.updates(saves, in: path)
    #expect(saves.count == 1 && saves.first?.changes.count == changes.count, "\(name)")
    let found = updates.compactMap { update in update.change.object.map { ($0, Set(update.change.properties)) } }
    let byObject = Dictionary(found) { first, _ in first }
    #expect(byObject == wanted, "\(name)")
    #expect(updates.allSatisfy { $0.change.incoming.isEmpty }, "\(name)")
    return updates.map(\.bytes)
  }

  // MARK: What history has

  /// The updates of saves, with what the column has of each.
  private static func updates(
    _ saves: [HistoryTransaction], in path: String
  ) throws -> [(change: HistoryChange, bytes: Data)] {
    guard let first = saves.first else { return [] }
    let rows = try rows(
      """
      SELECT ZCOLUMNS FROM ACHANGE WHERE ZCHANGETYPE = 1 AND ZTRANSACTIONID >= \(first.number)
      ORDER BY ZTRANSACTIONID, Z_PK
      """, in: path)
    let changes = saves.flatMap(\.changes).filter { $0.kind == .update }
    try #require(rows.count == changes.count)
    return zip(changes, rows).map { change, row in
      let bytes: Data? = row[0]
      return (change: change, bytes: bytes ?? Data())
    }
  }

  /// The updates of nothing but attributes, each of which stands once.
  private static func forms(of original: Original, _ hierarchy: EntityHierarchy) -> [(form: Form, bytes: Data)] {
    var forms: [Form: Data] = [:]
    for (change, bytes) in original.updates where change.incoming.isEmpty && !change.properties.isEmpty {
      guard let entity = change.object?.entity else { continue }
      let attributes = hierarchy.allAttributes(of: entity)
      guard change.properties.allSatisfy({ attributes[$0] != nil }) else { continue }
      forms[Form(entity: entity, properties: Set(change.properties))] = bytes
    }
    return forms.map { (form: $0.key, bytes: $0.value) }.sorted {
      ($0.form.entity, $0.form.properties.sorted().joined()) < ($1.form.entity, $1.form.properties.sorted().joined())
    }
  }

  private static func rows(_ sql: String, in path: String) throws -> [Row] {
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { try Row.fetchAll($0, sql: sql) }
  }

  // MARK: Other values

  /// Other values of an object's attributes that have one, no limits, and no part in a constraint.
  private static func others(
    of id: RecordID, in dump: CorpusDump, _ hierarchy: EntityHierarchy
  ) -> [String: RecordValue] {
    let attributes = hierarchy.allAttributes(of: id.entity)
    let unique = Set(hierarchy.lineage(of: id.entity).flatMap(\.uniquenessConstraints).joined())
    var others: [String: RecordValue] = [:]
    for case (let name, .attribute(let value)) in dump.objects[id] ?? [:] where !unique.contains(name) {
      guard let attribute = attributes[name]?.property, attribute.validation == AttributeValidation(),
        let other = other(than: value)
      else { continue }
      others[name] = .attribute(other)
    }
    return others
  }

  /// An object, and other values of exactly the properties that an update has; nil where no object has them all.
  private static func change(
    as form: Form, of known: [RecordID], in dump: CorpusDump, _ hierarchy: EntityHierarchy
  ) -> (id: RecordID, values: [String: RecordValue])? {
    for id in known where id.entity == form.entity {
      let values = others(of: id, in: dump, hierarchy).filter { form.properties.contains($0.key) }
      if values.count == form.properties.count { return (id, values) }
    }
    return nil
  }

  private static func other(than value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer(let number): .integer(number == 0 ? 1 : 0)
    case .decimal(let number): .decimal(number == 0 ? 1 : 0)
    case .double(let number): .double(number == 0 ? 1 : 0)
    case .string(let text): .string(text + "x")
    case .boolean(let flag): .boolean(!flag)
    case .date(let moment): .date(moment == 0 ? 1 : 0)
    case .binary, .uuid, .uri: nil
    }
  }
}
