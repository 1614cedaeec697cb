package import Foundation

/// One object of a keyed archive; every access follows at most one reference, so cycles are harmless.
package struct ArchivedObject: Sendable {
  private let archive: KeyedArchive
  /// The object itself, never a reference.
  private let object: Int

  /// Follows a reference; nil for the archive's null and for a dangling reference.
  init?(_ reference: Int, in archive: KeyedArchive) {
    guard let object = archive.object(reference) else { return nil }
    (self.archive, self.object) = (archive, object)
  }

  private var table: BinaryPropertyListTable { archive.table }

  /// The completely decoded object, with undecoded references.
  package var value: PropertyList { table.leaf(object) ?? BinaryPropertyListReader.read(object, of: table) }

  /// The decoded object if it contains no other objects; nil for a container.
  package var leaf: PropertyList? { table.leaf(object) }

  package subscript(key: String) -> ArchivedObject? {
    table.value(of: object, for: key).flatMap { ArchivedObject($0, in: archive) }
  }

  /// The name of its class, then of those it inherits from.
  package var classNames: [String] {
    guard let description = self["$class"] else { return [] }
    let names = (description["$classes"]?.references ?? []).compactMap(table.text)
    return names.isEmpty ? [description["$classname"]?.text].compactMap { $0 } : names
  }

  package func isKind(of className: String) -> Bool {
    guard let description = self["$class"] else { return false }
    let names = description["$classes"]?.references ?? []
    // Only texts count as names; where there is none, the class has the other field.
    if names.contains(where: { table.isText($0, className) }) { return true }
    guard !names.contains(where: { table.text(of: $0) != nil }) else { return false }
    return description["$classname"]?.text == className
  }

  package var string: String? { text ?? self["NS.string"]?.text }

  /// The text of a string that is not empty.
  package var filledString: String? { string.flatMap { $0.isEmpty ? nil : $0 } }

  private var text: String? { table.text(of: object) }

  /// The numbers of the objects in a plain array; 0 for a member that is not a reference.
  package var numbers: [UInt64]? { numbers(of: references) }

  /// The numbers of the objects that the array in a field refers to; nil for a field that refers to an array.
  package func numbers(in key: String) -> [UInt64]? {
    numbers(of: table.value(of: object, for: key).flatMap(table.elements))
  }

  private func numbers(of references: [Int]?) -> [UInt64]? { references?.map { table.uid(of: $0) ?? 0 } }

  private var references: [Int]? { table.elements(of: object) }

  /// The members of an array or a set.
  package var elements: [ArchivedObject] {
    (references ?? self["NS.objects"]?.references ?? []).compactMap { ArchivedObject($0, in: archive) }
  }

  /// The members of an ordered set whose fields are numbered, as the older form of that class has them.
  package var numberedElements: [ArchivedObject] {
    let fields = Dictionary(
      (table.entries(of: object) ?? []).compactMap { key, value in table.text(of: key).map { ($0, value) } }
    ) { _, last in last }
    var members: [ArchivedObject] = []
    while let member = fields["NS.object.\(members.count)"].flatMap({ ArchivedObject($0, in: archive) }) {
      members.append(member)
    }
    return members
  }

  /// True for a dictionary in either form that archives keep them in, an empty one included.
  package var isDictionary: Bool { table.value(of: object, for: "NS.keys") != nil || self["searchMapping"] != nil }

  /// The entries of a dictionary of strings, in either form that archives keep them in.
  package var entries: [(key: String, value: ArchivedObject)] {
    pairs.compactMap { key, value in key.string.map { ($0, value) } }
  }

  /// The number of entries of a dictionary, including entries whose keys are not strings.
  var entryCount: Int { pairs.count }

  private var pairs: [(key: ArchivedObject, value: ArchivedObject)] {
    let keys: [Int]
    let values: [Int]
    if let mapping = self["searchMapping"] {
      keys = mapping["keys"]?["NS.objects"]?.references ?? mapping["keys"]?.references ?? []
      values = self["values"]?["NS.objects"]?.references ?? self["values"]?.references ?? []
    } else {
      keys = table.value(of: object, for: "NS.keys").flatMap(table.elements) ?? []
      values = table.value(of: object, for: "NS.objects").flatMap(table.elements) ?? []
    }
    return zip(keys, values).compactMap { key, value in
      guard let key = ArchivedObject(key, in: archive), let value = ArchivedObject(value, in: archive) else {
        return nil
      }
      return (key, value)
    }
  }

  /// The values of a dictionary, or the members of an array or a set.
  package var members: [ArchivedObject] { isDictionary ? pairs.filter { $0.key.isString }.map(\.value) : elements }

  private var isString: Bool { [0x50, 0x60].contains(table.kind(of: object)) || self["NS.string"]?.text != nil }

  /// The entries whose values are strings too.
  package var textEntries: [String: String] {
    Dictionary(entries.compactMap { entry in entry.value.string.map { (entry.key, $0) } }) { first, _ in first }
  }

  /// A truth that is false when the field is missing.
  package func flag(_ key: String) -> Bool { self[key]?.value.boolean ?? false }
}

/// An archive of `NSKeyedArchiver`: a flat table of objects that refer to each other.
///
/// Archives of models have thousands of objects with a dozen fields each, and a reader needs few of them. The bytes
/// are checked once, and an object is decoded when it is accessed.
package final class KeyedArchive: Sendable {
  let table: BinaryPropertyListTable
  /// The objects, by the numbers of references.
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
    else { throw .brokenArchive(path: path, reason: "it is a property list but not a keyed archive") }
    (self.objects, self.top) = (objects, top)
  }

  /// An archive in the XML form is brought into the binary one.
  private static func table(
    _ data: Data, path: String, objectLimit: Int
  ) throws(PropertyListError) -> BinaryPropertyListTable {
    if data.starts(with: Data("bplist".utf8)) { return try BinaryPropertyListTable(data, objectLimit: objectLimit) }
    return try BinaryPropertyListTable(try PropertyList(decoding: data, path: path).binary)
  }

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

  /// The object of a reference; nil for the archive's null and for a dangling reference.
  func object(_ reference: Int) -> Int? {
    guard let uid = table.uid(of: reference) else { return reference }
    guard uid > 0, uid < UInt64(objects.count) else { return nil }
    let object = objects[Int(uid)]
    return table.kind(of: object) == 0x80 || table.isText(object, "$null") ? nil : object
  }
}
