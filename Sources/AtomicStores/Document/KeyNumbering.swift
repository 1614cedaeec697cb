import ModelDescription
import ModelFiles
import PersistentStores
import StoreRows

/// Converts between the keys of a document, with one sequence for each root entity, and the identifiers of a file with
/// one sequence for all.
///
/// Keys that are unique over all entities are used as identifiers. If they are not unique, each root entity has an
/// offset, which is stored in an entry of the metadata.
struct KeyNumbering {
  static let offsetsEntry = "modelctlKeyOffsets"
  static let lastKeysEntry = "modelctlLastKeys"

  /// The offset of the keys of each root entity's objects.
  private var offsets: [String: Int64] = [:]
  /// The last keys that the file records; nil if it records none.
  private var recorded: [String: Int64]?

  func identifier(_ key: Int64, root: String) -> Int64 { key &+ (offsets[root] ?? 0) }

  func key(_ identifier: Int64, root: String) -> Int64 { identifier &- (offsets[root] ?? 0) }
}

extension KeyNumbering {
  /// Removes its entries from a file's metadata.
  init(taking entries: inout [String: PropertyList]) {
    offsets = Self.numbers(entries.removeValue(forKey: Self.offsetsEntry)) ?? [:]
    recorded = Self.numbers(entries.removeValue(forKey: Self.lastKeysEntry))
  }

  private static func numbers(_ entry: PropertyList?) -> [String: Int64]? {
    entry?.dictionary.map { $0.compactMapValues(\.integer) }
  }

  /// The positions of objects in the order of their identifiers.
  func order(of ids: [RecordID], model: EntityHierarchy) -> [Int] {
    let identifiers = ids.map { identifier($0.key, root: model.rootName(of: $0.entity)) }
    return ids.indices.sorted { identifiers[$0] < identifiers[$1] }
  }

  /// The last keys of a document with some objects, if the highest is the last identifier of its file.
  func lastKeys(of ids: some Sequence<RecordID>, highest: Int64, model: EntityHierarchy) -> [String: Int64] {
    let greatest = Self.greatestKeys(of: ids, model: model)
    if let recorded { return recorded.merging(greatest.filter { recorded[$0.key] != nil }) { max($0, $1) } }
    // In a file with one sequence, the entity of keys after the greatest key is unknown.
    guard offsets.isEmpty, highest > greatest.values.max() ?? 0 else { return greatest }
    return Dictionary(model.roots.map { ($0.name, highest) }) { first, _ in first }
  }

  private static func greatestKeys(of ids: some Sequence<RecordID>, model: EntityHierarchy) -> [String: Int64] {
    var roots: [String: String] = [:]
    var greatest: [String: Int64] = [:]
    for id in ids {
      let root = roots[id.entity] ?? model.rootName(of: id.entity)
      roots[id.entity] = root
      greatest[root] = max(greatest[root] ?? id.key, id.key)
    }
    return greatest
  }

  /// Chooses the identifiers of a store.
  ///
  /// - Returns: the numbering, the highest identifier and the entries that the metadata must have for it.
  static func chosen(
    for content: DocumentContent, model: EntityHierarchy
  ) throws -> (numbering: KeyNumbering, highest: Int64, entries: [String: PropertyList]) {
    var keys: [String: Set<Int64>] = [:]
    var all: Set<Int64> = []
    var isUnique = true
    for id in content.ids {
      guard let entity = model.entity(named: id.entity) else {
        throw StoreDocumentError(
          path: "", .object(id.description, property: nil),
          .unknownEntity(id.entity, near: NearNames.nearest(to: id.entity, among: model.entitiesByName.map(\.name))))
      }
      guard !entity.isAbstract else {
        throw StoreDocumentError(path: "", .object(id.description, property: nil), .abstractEntity(id.entity))
      }
      guard keys[model.rootName(of: id.entity), default: []].insert(id.key).inserted else {
        throw StoreDocumentError(path: "", nil, .duplicateKey(id.description))
      }
      isUnique = all.insert(id.key).inserted && id.key > 0 && isUnique
    }
    var numbering = KeyNumbering()
    var highest = max(all.max() ?? 0, content.lastKeys.values.max() ?? 0)
    if !isUnique { highest = try numbering.setOffsets(for: keys) }
    var entries: [String: PropertyList] = [:]
    if !isUnique { entries[offsetsEntry] = .dictionary(numbering.offsets.mapValues { .integer($0) }) }
    if numbering.lastKeys(of: content.ids, highest: highest, model: model) != content.lastKeys {
      entries[lastKeysEntry] = .dictionary(content.lastKeys.mapValues { .integer($0) })
    }
    return (numbering, highest, entries)
  }

  /// Gives each root entity a separate range of identifiers, and returns the last of all.
  private mutating func setOffsets(for keys: [String: Set<Int64>]) throws -> Int64 {
    var last: Int64 = 0
    for (root, keys) in keys.sorted(by: { $0.key < $1.key }) {
      guard let least = keys.min(), let greatest = keys.max() else { continue }
      let (span, spanOverflows) = greatest.subtractingReportingOverflow(least)
      let (end, endOverflows) = (last + (last == .max ? 0 : 1)).addingReportingOverflow(spanOverflows ? 0 : span)
      guard !spanOverflows, !endOverflows, last < .max else {
        throw StoreDocumentError(
          path: "", nil,
          .oversized("the keys of \(root) range from \(least) to \(greatest), so there are no keys for other entities"))
      }
      if least > last {
        offsets[root] = 0
        last = greatest
      } else {
        offsets[root] = last + 1 &- least
        last = end
      }
    }
    return last
  }
}
