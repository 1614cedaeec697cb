import Foundation

/// Decodes binary property lists (`bplist00`) whole.
struct BinaryPropertyListReader {
  private let table: BinaryPropertyListTable
  private var known: [Int: PropertyList] = [:]

  static func read(_ data: Data) throws(PropertyListError) -> PropertyList {
    let table = try BinaryPropertyListTable(data)
    return read(table.top, of: table)
  }

  /// One object of a table with everything in it.
  static func read(_ reference: Int, of table: BinaryPropertyListTable) -> PropertyList {
    var reader = BinaryPropertyListReader(table: table)
    return reader.object(reference)
  }

  private init(table: BinaryPropertyListTable) {
    self.table = table
  }

  private mutating func object(_ reference: Int) -> PropertyList {
    if let decoded = known[reference] { return decoded }
    let decoded = table.leaf(reference) ?? container(reference)
    known[reference] = decoded
    return decoded
  }

  private mutating func container(_ reference: Int) -> PropertyList {
    if let elements = table.elements(of: reference) { return .array(elements.map { object($0) }) }
    var entries: [String: PropertyList] = [:]
    for (key, value) in table.entries(of: reference) ?? [] {
      if let key = table.text(of: key) { entries[key] = object(value) }
    }
    return .dictionary(entries)
  }
}
