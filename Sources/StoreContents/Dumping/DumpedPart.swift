import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// The objects of a store to dump.
struct DumpedPart {
  /// The entities whose own objects are dumped, by name.
  let entities: [EntityDescription]
  let isWhole: Bool
  /// Finds links to objects that do not exist.
  let links = LinkSearch()
  let missing: MissingFiles
  private let request: RecordRequest?
  private let numbers: Set<Int64>
  /// The keys of the objects that match a predicate, in order; nil without a predicate.
  private var keys: [Int64]?

  init(
    entities names: [String], request: RecordRequest?, missing: MissingFiles, in reading: RecordReading
  ) throws {
    self.missing = missing
    let hierarchy = reading.hierarchy
    let known = hierarchy.model.entities
    for name in names where hierarchy.entity(named: name) == nil {
      throw DumpError.unknownEntity(name, near: NearNames.nearest(to: name, among: known.map(\.name)))
    }
    let family = Set(names.flatMap { hierarchy.family(of: $0).map(\.name) })
    entities = known.filter { !$0.isAbstract && (names.isEmpty || family.contains($0.name)) }.sorted {
      $0.name < $1.name
    }
    guard !entities.isEmpty || names.isEmpty else { throw DumpError.nothingToDump(names) }
    isWhole = names.isEmpty
    self.request = request
    numbers = Set(entities.compactMap { reading.store.number(of: $0.name).map(Int64.init) })
    guard var request else { return }
    request.properties = []
    let rows = try reading.rowCursor(request).rows
    var found: [Int64] = []
    while try rows.next() { if let key = rows.row.integer(0) { found.append(key) } }
    keys = found
  }

  func request(for entity: String) -> RecordRequest {
    var request = request ?? RecordRequest(entity)
    (request.entity, request.includesSubentities) = (entity, false)
    return request
  }

  /// Whether the object that a link points to is dumped too.
  func holds(_ key: Int64, ofEntity number: Int64?) -> Bool {
    guard !isWhole, let number else { return true }
    guard numbers.contains(number) else { return false }
    guard let keys else { return true }
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key
  }
}

/// Finds the to-one relationships of a store with links to objects that do not exist, and checks each column once.
final class LinkSearch {
  private struct Place: Hashable {
    let table: String
    let column: String
    let destination: String
  }

  private var found: [Place: LinkTargets?] = [:]

  /// Finds links to objects that do not exist.
  ///
  /// - Parameter entity: the entity that has it, or inherits it.
  /// - Returns: the possible targets of the links; nil if all of the links point to objects.
  func targets(
    of relationship: String, to destination: String, from entity: String, in reading: RecordReading
  ) throws -> LinkTargets? {
    let address = PropertyAddress(entity: entity, property: relationship)
    let storage = reading.store.layout.storage(ofRelationship: address, in: reading.hierarchy)
    guard case .toOne(let table, let column, let number, _)? = storage else { return nil }
    let place = Place(table: table, column: column, destination: destination)
    if let known = found[place] { return known }
    let targets = try LinkTargets(of: column, numberedBy: number, in: table, to: destination, reading)
    found.updateValue(targets, forKey: place)
    return targets
  }
}
