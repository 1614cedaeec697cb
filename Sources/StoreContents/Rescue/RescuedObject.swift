import Foundation
import MappingModels
import ModelDescription
import PersistentStores
import StoreRows

/// The readable values of a single row.
struct RescuedObject {
  let id: RecordID
  /// The store's folder of external data.
  private let folder: String
  private(set) var values: [String: RecordValue] = [:]
  private(set) var links: [RecordWrites.Link] = []
  private(set) var places: [RecordWrites.Place] = []
  /// About how many bytes the values have.
  private(set) var size = 0

  init(id: RecordID, folder: String) { (self.id, self.folder) = (id, folder) }

  /// Reads a row.
  mutating func read(_ row: SteppedRow, _ plan: RescuePlan, _ layout: SQLStoreLayout, _ tally: inout RescueTally) {
    values = plan.defaults
    for value in plan.values {
      let found = read(row, value, &tally)
      let name = value.path[0]
      values[name] =
        value.path.count == 1
        ? found : (values[name] ?? .null).replacing(elementAt: value.path.dropFirst(), by: found)
    }
    for link in plan.links {
      guard !row.isNull(link.key) else { continue }
      guard let key = row.integer(link.key) else {
        tally.add(.link, lost: true, id.entity, link.name, "the link is not a key", key: id.key)
        continue
      }
      let number = link.number.flatMap { row.integer($0) }.flatMap { Int(exactly: $0) }
      let entity = number.flatMap { layout.entity(number: $0) } ?? link.destination
      values[link.name] = .object(RecordID(entity: entity, key: key))
      if let inverse = link.inverse, let place = link.order.flatMap({ row.integer($0) }) {
        places.append(.init(relationship: inverse, near: key, far: id.key, place: place))
      }
    }
    for owner in plan.owners {
      guard let key = row.integer(owner.key) else { continue }
      links.append(.init(relationship: owner.address, near: key, far: id.key))
      if let place = owner.order.flatMap({ row.integer($0) }) {
        places.append(.init(relationship: owner.address, near: key, far: id.key, place: place))
      }
    }
  }

  private mutating func read(_ row: SteppedRow, _ value: RescuePlan.Value, _ tally: inout RescueTally) -> RecordValue {
    if row.isNull(value.position) { return .null }
    let (attribute, path) = (value.attribute, value.path.joined(separator: "."))
    let isMarked = attribute.allowsExternalBinaryDataStorage
    switch row.value(value.position, attribute.type, isMarked: isMarked) {
    case .external(let reference)?:
      let isTransformed = attribute.type == .transformable
      func made(_ data: Data) -> RecordValue { isTransformed ? .transformed(data) : .attribute(.binary(data)) }
      // What names no file is data as good as any other.
      guard let name = ExternalData.fileName(in: reference) else { return made(reference) }
      let file = "\(folder)/\(name)"
      if FileStatus(file)?.kind == .file, let data = FileManager.default.contents(atPath: file) {
        size += data.count
        return made(data)
      }
      tally.add(.file, lost: true, id.entity, path, "its file is not in \(folder)", key: id.key)
    case .attribute(let found)? where attribute.type != .decimal && !found.suits(attribute.type):
      tally.add(
        .value, lost: true, id.entity, path, "the value does not fit \(attribute.type.name)", key: id.key)
    case let found?:
      size += found.byteCount
      return found
    case nil:
      if let mended = mended(row, value.position, attribute.type) {
        tally.add(
          .value, lost: false, id.entity, path, "the value was not stored as \(attribute.type.name)", key: id.key)
        return mended
      }
      tally.add(.value, lost: true, id.entity, path, "the value is not a valid \(attribute.type.name)", key: id.key)
    }
    guard attribute.isMandatory, let value = attribute.defaultValue else { return .null }
    return .attribute(value)
  }

  /// The value of an attribute that was stored as another type.
  private func mended(_ row: SteppedRow, _ position: Int32, _ type: AttributeType) -> RecordValue? {
    let text = row.anyText(position)
    switch type {
    case .string: return text.map { .attribute(.string($0)) }
    case .uri: return text.map { .attribute(.uri($0)) }
    case .integer16, .integer32, .integer64:
      guard let number = text.flatMap({ Int64($0) }), AttributeValue.integer(number).suits(type) else { return nil }
      return .attribute(.integer(number))
    case .double, .float: return text.flatMap { Double($0) }.map { .attribute(.double($0)) }
    case .date: return text.flatMap { Double($0) }.map { .attribute(.date($0)) }
    case .decimal: return text.flatMap { try? .parse($0, as: .decimal) }.map { .attribute($0) }
    // Without the byte that says where data lies it is data all the same.
    case .binary: return (row.data(position) ?? text.map { Data($0.utf8) }).map { .attribute(.binary($0)) }
    case .transformable: return row.data(position).map { .transformed($0) }
    case .boolean, .uuid, .undefined, .objectID, .composite, .unrecognized: return nil
    }
  }
}

extension RecordValue {
  /// The approximate number of bytes, for values that may be large.
  fileprivate var byteCount: Int {
    switch self {
    case .attribute(.binary(let data)), .transformed(let data): data.count
    case .attribute(.string(let text)), .attribute(.uri(let text)): text.utf8.count
    default: 0
    }
  }
}
