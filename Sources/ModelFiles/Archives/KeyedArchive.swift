package import Foundation

/// An archive of `NSKeyedArchiver`: a flat table of objects that refer to each other.
///
/// Archives of models have thousands of objects with a dozen fields each, of which a reader needs a few; so the bytes
/// are checked as a whole, and an object is decoded when it is asked for.
package final class KeyedArchive: Sendable {
  let table: BinaryPropertyListTable
  /// What the numbers of references mean.
  private let objects: [Int]
  private let top: Int

  /// Checks the table; no object is followed yet.
  package init(
    _ data: Data, path: String, objectLimit: Int = BinaryPropertyListCheck.objectLimit
  ) throws(ModelFileError) {
    do {
      table = try Self.table(data, path: path, objectLimit: objectLimit)
    } catch {
      throw .brokenPropertyList(path: path, error)
    }
    guard let objects = table.value(of: table.top, for: "$objects").flatMap(table.elements),
      let top = table.value(of: table.top, for: "$top"), table.kind(of: top) == 0xD0
    else { throw .brokenArchive(path: path, reason: "it is a property list, but no keyed archive") }
    self.objects = objects
    self.top = top
  }

  /// An archive in the XML form is brought into the binary one.
  private static func table(
    _ data: Data, path: String, objectLimit: Int
  ) throws(PropertyListError) -> BinaryPropertyListTable {
    if data.starts(with: Data("bplist".utf8)) { return try BinaryPropertyListTable(data, objectLimit: objectLimit) }
    return try BinaryPropertyListTable(try PropertyList(decoding: data, path: path).binary)
  }

  /// The object the archive was made of.
  package var root: ArchivedObject? {
    (table.value(of: top, for: "root") ?? table.value(of: top, for: "$0")).flatMap { ArchivedObject($0, in: self) }
  }

  /// The number of an object that the archive was made of under a name.
  package func number(ofRoot name: String) -> UInt64? { table.value(of: top, for: name).flatMap(table.uid) }

  /// The object of a number; nil for the archive's null and for a number that no object has.
  package func object(numbered number: UInt64) -> ArchivedObject? {
    guard number > 0, number < UInt64(objects.count) else { return nil }
    return ArchivedObject(objects[Int(number)], in: self)
  }

  /// The object that a reference leads to, nil for the archive's null and for a reference to nothing.
  func object(_ reference: Int) -> Int? {
    guard let uid = table.uid(of: reference) else { return reference }
    guard uid > 0, uid < UInt64(objects.count) else { return nil }
    let object = objects[Int(uid)]
    return table.kind(of: object) == 0x80 || table.isText(object, "$null") ? nil : object
  }
}
