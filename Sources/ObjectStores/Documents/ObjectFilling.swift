import AtomicStores
import MigrationSQL
import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// Fills the SQLite copy of a document with objects while they are read, so that they need not all be in memory.
///
/// The result equals that of writing the complete document, if both sides of each relationship name the same links.
final class ObjectFilling {
  /// The two sides of a relationship name different links; only the complete document shows which links count.
  struct Contradiction: Error {}

  private typealias Relation = SavingModel.Relation

  /// A link or a position in an order whose column is in the row of the other object.
  private struct LateLink {
    let near: Int64
    let far: Int64
    let place: Int64
  }

  private static let batchCount = 500
  private static let lateCount = 10_000

  private let reading: RecordReading
  private let model: SavingModel
  private var batch = RecordWrites()
  private var highest: [String: Int64] = [:]
  private var late: [PropertyAddress: [LateLink]] = [:]
  private var sides = LinkSides()

  init(_ reading: RecordReading) {
    (self.reading, model) = (reading, SavingModel(reading.hierarchy))
  }

  /// Adds an object.
  func add(_ object: StoreDocument.Object) throws {
    guard let entity = model.entity(object.id.entity) else { return }
    highest[entity.name] = max(highest[entity.name] ?? object.id.key, object.id.key)
    for relation in entity.relations {
      guard let ids = object.values[relation.name]?.links else { continue }
      for id in ids { sides.add(object.id, id, relation, in: model) }
      if relation.isToMany { add(ids, along: relation, of: object.id.key) }
    }
    batch.insertions.append(.init(id: object.id, version: nil, values: object.values, changed: []))
    if batch.insertions.count >= Self.batchCount { try flush() }
  }

  private func add(_ ids: [RecordID], along relation: Relation, of near: Int64) {
    let places = relation.description.isOrdered ? OrderPositions.positions(for: ids.map { _ in nil }) : []
    guard case .join(_, _, _, _, _)? = reading.store.linkStorage(of: relation.address) else {
      // An unordered one with an inverse is in the rows at the other end.
      guard relation.isLinked || relation.description.isOrdered else { return }
      for (position, id) in ids.enumerated() {
        let place = places.isEmpty ? 0 : places[position]
        late[relation.address, default: []].append(LateLink(near: near, far: id.key, place: place))
      }
      return
    }
    for (position, id) in ids.enumerated() {
      batch.newLinks.insert(.init(relationship: relation.address, near: near, far: id.key))
      guard !places.isEmpty else { continue }
      batch.places.append(
        .init(relationship: relation.address, near: near, far: id.key, place: places[position]))
    }
  }

  private func flush() throws {
    let files = ExternalFiles(ofStore: reading.path)
    try RecordWriting(reading, files: files).write(batch, keys: RecordKeys(), author: nil, derived: .restored)
    // The store is not complete yet, so no other process reads the file that a row names.
    files.finish()
    batch = RecordWrites()
  }

  /// Writes the rows that had to wait for all objects.
  ///
  /// - Parameters:
  ///   - document: the document without its objects.
  ///   - files: the external files of the transaction.
  /// - Throws: ``Contradiction``, and the errors of writing rows.
  func finish(_ document: StoreDocument, _ files: ExternalFiles) throws {
    guard sides.isEqual else { throw Contradiction() }
    try flush()
    for (address, links) in late.sorted(by: { $0.key.description < $1.key.description }) {
      let relation = model.entity(address.entity)?.relationsByName[address.property]
      for start in stride(from: 0, to: links.count, by: Self.lateCount) {
        for link in links[start..<min(start + Self.lateCount, links.count)] {
          if relation?.isLinked == true {
            batch.newLinks.insert(.init(relationship: address, near: link.near, far: link.far))
          }
          guard relation?.description.isOrdered == true else { continue }
          batch.places.append(.init(relationship: address, near: link.near, far: link.far, place: link.place))
        }
        try flush()
      }
    }
    var keys = RecordKeys()
    let hierarchy = reading.hierarchy
    for (root, key) in document.lastKeys where hierarchy.entity(named: root) != nil { keys.raise(root, to: key) }
    for (entity, key) in highest { keys.raise(hierarchy.rootName(of: entity), to: key) }
    let writing = try RecordWriting(reading, files: files)
    try writing.write(RecordWrites(), keys: keys, author: nil)
    try writing.refreshDerived(keepsMoments: true)
    try document.metadata.ofSQLite.write(to: reading.database)
  }
}

/// Checks that both sides of each relationship with an inverse name the same links.
///
/// It adds the hashes of one side and subtracts those of the other.
private struct LinkSides {
  private struct Pair: Hashable {
    let first: PropertyAddress
    let second: PropertyAddress
  }

  private struct Link: Hashable {
    let first: RecordID
    let second: RecordID
  }

  private var sums: [Pair: (count: Int, hashes: Int)] = [:]
  private var addresses: [ObjectIdentifier: PropertyAddress?] = [:]

  var isEqual: Bool { sums.values.allSatisfy { $0.count == 0 && $0.hashes == 0 } }

  /// Adds a link that one side names.
  mutating func add(_ near: RecordID, _ far: RecordID, _ relation: SavingModel.Relation, in model: SavingModel) {
    guard let inverse = inverse(of: relation, in: model) else { return }
    let own = relation.address
    // The sums begin with random numbers, so no file can be made to have equal sums by design.
    let (forward, backward) = (Link(first: near, second: far).hashValue, Link(first: far, second: near).hashValue)
    switch (own.entity, own.property) {
    case (inverse.entity, inverse.property):
      sums[Pair(first: own, second: own), default: (0, 0)].hashes &+= forward &- backward
    case let (entity, property) where (entity, property) < (inverse.entity, inverse.property):
      let pair = Pair(first: own, second: inverse)
      sums[pair, default: (0, 0)].hashes &+= forward
      sums[pair, default: (0, 0)].count += 1
    default:
      let pair = Pair(first: inverse, second: own)
      sums[pair, default: (0, 0)].hashes &-= backward
      sums[pair, default: (0, 0)].count -= 1
    }
  }

  private mutating func inverse(of relation: SavingModel.Relation, in model: SavingModel) -> PropertyAddress? {
    if let known = addresses[ObjectIdentifier(relation)] { return known }
    let found = relation.inverse.flatMap { model.entity(relation.destination)?.relationsByName[$0.name]?.address }
    addresses[ObjectIdentifier(relation)] = .some(found)
    return found
  }
}
