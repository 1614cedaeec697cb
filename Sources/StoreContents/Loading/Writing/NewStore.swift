import AtomicStores
import Foundation
import GRDB
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreRows

/// Makes a store from a text, under a temporary name until it is complete.
struct NewStore {
  private let loading: StoreLoading
  private let text: LoadSource
  private let model: LoadModel

  init(_ loading: StoreLoading, _ text: LoadSource, _ model: LoadModel) {
    (self.loading, self.text, self.model) = (loading, text, model)
  }

  func make(at path: String, kind: (any StoreKind)?) throws -> StoreLoading.Outcome {
    let staged = try StagedStore(for: path, isSQLite: kind == nil)
    do {
      let version = loading.version
      var creator = try StoreCreator(of: version.hierarchy, references: loading.references)
      creator.cachedModel = version.file.cachedContent
      try creator.create(in: staged, uuid: loading.seed?.uuid ?? UUID())
      let names = LoadedFileNames()
      var filled =
        loading.matches.isEmpty
        ? try fill(staged.path, names, keepsNumbers: kind != nil)
        : try StoreFilling(loading, text, model).run(staged.path, naming: names.next)
      try finish(staged.path, filled.head)
      guard let kind else {
        try staged.publish()
        return filled.outcome
      }
      try StoreConversion(version).convert(staged.path, to: path, kind: kind, numbers: filled.numbers)
      filled.outcome.rounded = []
      staged.discard()
      return filled.outcome
    } catch {
      staged.discard()
      throw error
    }
  }

  private func fill(_ path: String, _ names: LoadedFileNames, keepsNumbers: Bool) throws -> FilledStore {
    try Self.write(path) { try insert(in: $0, path, names, keepsNumbers) }
  }

  /// Writes to the store in one transaction without a journal: no other process uses it, and an incomplete store is
  /// deleted.
  static func write<Value>(_ path: String, _ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    // What goes wrong leaves its transaction to the end of the connection, and the file goes.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { database in
      database.removeAuthorizer()
      TriggerFunctions.register(in: database)
      for setting in ["journal_mode = OFF", "synchronous = OFF", "cache_size = -4096"] {
        _ = try Row.fetchOne(database, sql: "PRAGMA \(setting)")
      }
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    do {
      let value = try queue.inDatabase { database in
        try database.execute(sql: "BEGIN")
        let value = try body(database)
        try database.execute(sql: "COMMIT")
        try database.execute(sql: "PRAGMA journal_mode = WAL")
        return value
      }
      try queue.close()
      return value
    } catch {
      try? queue.close()
      throw error
    }
  }

  /// Writes the values that do not depend on objects: the metadata of a JSON store, and the time of `now()` with a
  /// seed.
  private func finish(_ path: String, _ head: LoadSource.Head) throws {
    try Self.write(path) { database in
      if var metadata = head.metadata?.value {
        if let seed = loading.seed { metadata.uuid = seed.uuid.uuidString }
        try metadata.ofSQLite.write(to: database)
      }
      let reading = try RecordReading(of: model.hierarchy, path: path, in: database, provingIndexes: false)
      let writing = try RecordWriting(reading, files: ExternalFiles(ofStore: path))
      if loading.seed != nil { try writing.setMoment(0) }
      var keys = RecordKeys()
      for (root, key) in try lastKeys(head) { keys.raise(root, to: key) }
      try writing.write(RecordWrites(), keys: keys, author: nil)
    }
  }

  private func insert(in database: Database, _ path: String, _ names: LoadedFileNames, _ keepsNumbers: Bool) throws
    -> FilledStore
  {
    var outcome = StoreLoading.Outcome(isNew: true)
    var rounded = RoundedCounts()
    var numbers: [RoundedDecimal] = []
    let reading = try RecordReading(of: model.hierarchy, path: path, in: database, provingIndexes: false)
    let bulk = try BulkInsertion(reading, fileName: names.next)
    var parsing = ObjectParsing(model)
    var keys = LoadKeys { try greatestKeys() }
    var silent: Set<PropertyOfObject> = []
    let head = try text.read(model) { object in
      guard !parsing.findings.isFull, let parsed = parsing.parse(object) else { return }
      guard let key = try keys.next(for: parsed.entity.root, given: parsed.key) else {
        parsing.findings.add(.text(.duplicateKey("\(parsed.entity.root) \(parsed.key ?? 0)")), at: parsed.location)
        return
      }
      let id = RecordID(entity: parsed.entity.name, key: key)
      for property in parsed.unread { silent.insert(PropertyOfObject(object: id, property: property)) }
      let values = parsed.insertion(
        isToMany: { name in
          if case .relationship(let it)? = parsed.entity.properties[name] { it.isToMany } else { false }
        },
        target: { target in if case .key(let id) = target { id } else { nil } })
      for blocker in try bulk.insert(id, values, unread: parsed.unread) {
        parsing.findings.add(.save(blocker), at: parsed.location)
      }
      outcome.inserted[id.entity, default: 0] += 1
      for number in RoundedDecimal.all(in: values, of: id, attributes: parsed.entity.decimals) {
        rounded.add(number, at: parsed.location)
        if keepsNumbers { numbers.append(number) }
      }
    }
    try loading.check(head, isNew: true)
    if !parsing.findings.isFull {
      let found = try bulk.check(limit: LoadFindings.sought).filter { blocker in
        blocker.property.map { !silent.contains(PropertyOfObject(object: blocker.object, property: $0)) } ?? true
      }
      try locate(found) { parsing.findings.add(.save($0), at: $1) }
    }
    try parsing.findings.end()
    try bulk.complete()
    outcome.rounded = rounded.all
    return FilledStore(outcome: outcome, head: head, numbers: numbers)
  }

  // MARK: Keys

  /// The greatest keys that the text gives, by root entity.
  private func greatestKeys() throws -> [String: Int64] {
    var greatest: [String: Int64] = [:]
    let parsing = ObjectParsing(model)
    try text.read(model) { object in
      guard let (entity, given) = parsing.name(of: object), let key = given else { return }
      greatest[entity.root] = max(greatest[entity.root] ?? key, key)
    }
    return greatest
  }

  private func lastKeys(_ head: LoadSource.Head) throws -> [String: Int64] {
    var keys: [String: Int64] = [:]
    for (root, key) in head.lastKeys {
      guard model.entity(root.key)?.root == root.key else {
        let near = NearNames.nearest(to: root.key, among: model.hierarchy.roots.map(\.name))
        throw LoadError.structure(
          root.keyLocation, "\(StoreDocumentError.Finding.unknownEntity(root.key, near: near))")
      }
      keys[root.key] = key
    }
    return keys
  }

  /// Finds the locations of the objects of blockers by reading the text again.
  private func locate(_ blockers: [SaveBlocker], _ body: (SaveBlocker, SourceLocation) -> Void) throws {
    guard !blockers.isEmpty else { return }
    let wanted = Set(blockers.map(\.object))
    var locations: [RecordID: SourceLocation] = [:]
    let parsing = ObjectParsing(model)
    var keys = LoadKeys { try greatestKeys() }
    try text.read(model) { object in
      guard let (entity, given) = parsing.name(of: object), !entity.isAbstract,
        let key = try keys.next(for: entity.root, given: given)
      else { return }
      let id = RecordID(entity: entity.name, key: key)
      if wanted.contains(id) { locations[id] = object.location }
    }
    for blocker in blockers {
      body(blocker, locations[blocker.object] ?? SourceLocation(file: text.path, line: 1, column: 1))
    }
  }
}

/// The keys of the objects of a text, by root entity: given keys, and the next keys for objects without one.
struct LoadKeys {
  private var given: [String: KeySet] = [:]
  private var last: [String: Int64] = [:]
  private var isCounted = false
  private let greatest: () throws -> [String: Int64]

  init(greatest: @escaping () throws -> [String: Int64]) { self.greatest = greatest }

  /// The key of the next object; nil if a different object has the given key.
  mutating func next(for root: String, given key: Int64?) throws -> Int64? {
    if let key { return given[root, default: KeySet()].insert(key) ? key : nil }
    if !isCounted {
      // Keys go on from the greatest of the text, which may come last.
      for (root, key) in try greatest() { last[root] = max(0, key) }
      isCounted = true
    }
    last[root, default: 0] += 1
    return last[root]
  }
}

/// A set of keys that mostly ascend.
struct KeySet {
  private var runs: [ClosedRange<Int64>] = []
  private var strays: Set<Int64> = []

  /// Adds a key; false when it is there.
  mutating func insert(_ key: Int64) -> Bool {
    guard let last = runs.last else {
      runs = [key...key]
      return true
    }
    if key > last.upperBound {
      guard !strays.contains(key) else { return false }
      if key == last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...key
      } else {
        runs.append(key...key)
      }
      return true
    }
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < key { low = middle + 1 } else { high = middle }
    }
    guard !runs[low].contains(key) else { return false }
    return strays.insert(key).inserted
  }
}
