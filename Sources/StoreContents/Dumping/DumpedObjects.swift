import Foundation
import MigrationSQL
import ModelDescription
import PersistentStores
import StoreRows

/// The objects of exactly one entity, in the order of their keys.
struct DumpedObjects {
  let entity: EntityDescription
  /// Its properties, sorted by name.
  let properties: [DumpedProperty]
  private let rows: StoredRowCursor
  private let part: DumpedPart
  private let folder: String
  /// The possible targets of a column's links, by its position, if a link points to an object that does not exist.
  private let targets: [Int32: LinkTargets]

  init(
    of entity: EntityDescription, _ part: DumpedPart, in reading: RecordReading,
    isListed: (EntityHierarchy.Declared<RelationshipDescription>) -> Bool
  ) throws {
    (self.entity, self.part) = (entity, part)
    folder = ExternalData.folder(ofStore: reading.path)
    let (rows, columns) = try reading.rowCursor(part.request(for: entity.name))
    self.rows = rows
    var targets: [Int32: LinkTargets] = [:]
    for column in columns {
      guard case .object(let destination) = column.content else { continue }
      targets[column.position] = try part.links.targets(
        of: column.name, to: destination, from: entity.name, in: reading)
    }
    self.targets = targets
    func number(_ entity: String) -> Int64? { reading.store.number(of: entity).map(Int64.init) }
    let lists = try WholeObjects(reading).toMany(of: entity.name).filter(isListed).map { list in
      DumpedProperty(
        name: list.property.name,
        LinkCursor(try reading.linkCursor(along: list.property.name, of: entity.name)),
        destination: list.property.destinationEntityName.flatMap(number))
    }
    let inRow = columns.map { DumpedProperty($0, numbering: number) }
    properties = (inRow + lists).sorted { $0.name < $1.name }
  }

  /// Advances to the next object.
  ///
  /// - Returns: its key; nil at the end.
  func next() throws -> Int64? { try rows.next() ? rows.row.integer(0) ?? 0 : nil }

  /// The value of an attribute of the object, or of an element of one.
  ///
  /// - Returns: the value, with all digits of decimal numbers in the store.
  /// - Throws: `RecordValueError` if the stored value is not valid for the attribute's type, such as a number that is
  ///   too wide; a reader of the text would refuse it.
  func value(of column: RecordColumn) throws -> CellValue {
    guard case .value(let type, let isMarked) = column.content else { return .null }
    let value = rows.row.cell(column.position, type, isMarked: isMarked)
    if case .file(let name)? = value, part.missing.passesOver(self.path(ofFile: name)) { return .null }
    if let value, !value.isTooWide(for: type) { return value }
    throw RecordValueError(object: id, property: column.name, expected: type)
  }

  /// The object of a to-one relationship.
  ///
  /// - Returns: its key and its entity number; nil if there is no link, or if the object does not exist.
  func object(
    of column: RecordColumn, counting outcome: inout StoreDump.Outcome
  ) throws -> (key: Int64, number: Int64?)? {
    guard let key = rows.row.integer(column.position) else { return nil }
    guard let targets = targets[column.position] else { return (key, rows.row.integer(column.position + 1)) }
    if let number = try targets.entityNumber(of: key) { return (key, number) }
    outcome.linksToNothing += 1
    outcome.firstLinkToNothing = outcome.firstLinkToNothing ?? LinkToNothing(object: id, relationship: column.name)
    return nil
  }

  private var id: RecordID { RecordID(entity: entity.name, key: rows.row.integer(0) ?? 0) }

  func path(ofFile name: String) -> String { "\(folder)/\(name)" }
}

extension CellValue {
  /// Whether a whole number does not fit the attribute's type.
  fileprivate func isTooWide(for type: AttributeType) -> Bool {
    switch (self, type) {
    case (.integer(let number), .integer16): Int16(exactly: number) == nil
    case (.integer(let number), .integer32): Int32(exactly: number) == nil
    default: false
    }
  }
}
