import AtomicStores
import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreMigration
import StoreRows

/// What was loaded into a store, and what its text says besides.
struct FilledStore {
  var outcome: StoreLoading.Outcome
  let head: LoadSource.Head
  /// The numbers of which a SQLite store keeps fewer digits, where somebody else is to have all of them.
  let numbers: [RoundedDecimal]
}

/// Adds the objects of a text to a store, or changes those that are there, by one save.
struct StoreFilling {
  private let loading: StoreLoading
  private let text: LoadSource
  private let model: LoadModel

  init(_ loading: StoreLoading, _ text: LoadSource, _ model: LoadModel) {
    (self.loading, self.text, self.model) = (loading, text, model)
  }

  /// Loads the objects.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - fileName: names files of external data in a store that is new; nil for one that is there.
  /// - Returns: what was loaded, and what the text says besides.
  /// - Throws: as `StoreLoading.run(to:kind:)`.
  func run(_ path: String, naming fileName: (@Sendable () -> String)? = nil) throws -> FilledStore {
    var request = MigrationRequest(path: path, versions: loading.versions, destination: loading.version)
    request.references = loading.references
    var options = OpeningOptions()
    (options.migration, options.createsMissing) = (.refuse, false)
    (options.busyTimeout, options.writesMirrored) = (loading.busyTimeout, loading.writesMirrored)
    options.readsBesideWriter = false
    if let fileName { options.externalName = fileName }
    let store = try ObjectStore.open(request, options: options)
    do {
      let filled = try fill(store, StoreLoading.Outcome(isNew: fileName != nil))
      try store.close()
      return filled
    } catch {
      try? store.close()
      throw error
    }
  }

  private func fill(_ store: ObjectStore, _ empty: StoreLoading.Outcome) throws -> FilledStore {
    var outcome = empty
    let (read, objects, model, head) = try parsed(isNew: outcome.isNew)
    var parsing = read
    var locations: [RecordID: SourceLocation] = [:]
    var unread: Set<PropertyOfObject> = []
    do {
      let saving = try store.saving(isWritten: true) { transaction in
        var naming = ObjectNaming(
          model, transaction, objects, isNew: outcome.isNew, updates: loading.updates, findings: parsing.findings)
        let named = try naming.named()
        for object in named {
          locations[object.id] = object.parsed.location
          for property in object.parsed.unread {
            unread.insert(PropertyOfObject(object: object.id, property: property))
          }
          let entity = object.id.entity
          if object.isNew {
            outcome.inserted[entity, default: 0] += 1
          } else {
            outcome.updated[entity, default: 0] += 1
          }
        }
        let changes = ObjectChanges(named, model, &naming)
        unread.formUnion(changes.unread)
        parsing.findings = naming.findings
        for (blocker, location) in changes.contradictions { parsing.findings.add(.save(blocker), at: location) }
        try changes.apply(transaction)
        guard !parsing.findings.isEmpty else { return }
        // What the save would find is listed, too; nothing of it is written.
        do {
          _ = try transaction.check()
        } catch let error as SaveError {
          add(error, locations, unread, to: &parsing.findings)
        }
        try parsing.findings.end()
      }
      var rounded = RoundedCounts()
      for number in saving.rounded {
        guard let location = locations[number.object] else { continue }
        rounded.add(number, at: location)
      }
      outcome.rounded = rounded.all
      return FilledStore(outcome: outcome, head: head, numbers: saving.rounded)
    } catch let error as SaveError {
      add(error, locations, unread, to: &parsing.findings)
      try parsing.findings.end()
      throw error
    }
  }

  /// Reads all objects; of a text with matches the keys first, which say what its links are.
  private func parsed(isNew: Bool) throws -> (ObjectParsing, [ParsedObject], LoadModel, LoadSource.Head) {
    var model = model
    if !loading.matches.isEmpty {
      let parsing = ObjectParsing(model)
      try text.read(model) { object in
        guard let (entity, key) = parsing.name(of: object), key != nil, let match = model.match(of: entity.name) else {
          return
        }
        model.keyed.insert(match.entity)
      }
    }
    var parsing = ObjectParsing(model)
    var objects: [ParsedObject] = []
    let head = try text.read(model) { object in
      guard !parsing.findings.isFull, let parsed = parsing.parse(object) else { return }
      objects.append(parsed)
    }
    try loading.check(head, isNew: isNew)
    return (parsing, objects, model, head)
  }

  private func add(
    _ error: SaveError, _ locations: [RecordID: SourceLocation], _ unread: Set<PropertyOfObject>,
    to findings: inout LoadFindings
  ) {
    let whole = SourceLocation(file: text.path, line: 1, column: 1)
    var unread = unread
    // A link that leads nowhere is missing, too, and that is said once.
    for blocker in error.blockers {
      guard case .noSuchObject = blocker.kind, let property = blocker.property else { continue }
      let isNew = unread.insert(PropertyOfObject(object: blocker.object, property: property)).inserted
      if isNew { findings.add(.save(blocker), at: locations[blocker.object] ?? whole) }
    }
    for blocker in error.blockers {
      if let property = blocker.property,
        unread.contains(PropertyOfObject(object: blocker.object, property: property))
      {
        continue
      }
      findings.add(.save(blocker), at: locations[blocker.object] ?? whole)
    }
  }
}
