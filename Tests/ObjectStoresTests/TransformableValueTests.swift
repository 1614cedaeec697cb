import Foundation
import GRDB
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("Transformable values in a store")
struct TransformableValueTests {
  private static let values: [ArchivedValue] = [
    .string("Zoë 🎈"), .array([.string("red"), .string(""), .array([.string("red")])]),
    .dictionary(["names": .array([.string("Anna"), .string("Bert")]), "place": .string("Rome")]),
  ]

  @Test("A text, a list and a dictionary are stored as secure keyed archives, and read again", arguments: values)
  func kept(_ value: ArchivedValue) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("samples.sqlite")
    let model = ManagedObjectModel { Entity("Sample") { Attribute("thing", .transformable).optional() } }
    let store = try ObjectStore.open(path, model: model)
    let (id, other) = try store.write { transaction in
      let other = try transaction.insert("Sample", ["thing": .transformed(ArchivedValue.string("old").archive)])
      return (try transaction.insert("Sample", ["thing": .transformed(value.archive)]), other)
    }
    try store.write { try $0.update(other, ["thing": .transformed(value.archive)]) }
    try store.close()

    let again = try ObjectStore.open(path, model: model)
    for id in [id, other] {
      let record = try #require(try again.read { try $0.object(id) })
      guard case .transformed(let bytes)? = record["thing"] else {
        Issue.record("\(String(describing: record["thing"]))")
        continue
      }
      #expect(try ArchivedValue(archive: bytes) == value)
    }
    try again.close()

    let reader = try StoreReader(path: path)
    defer { reader.close() }
    let columns = try reader.read { try Data.fetchAll($0, sql: "SELECT ZTHING FROM ZSAMPLE") }
    #expect(columns == [value.archive, value.archive])
    for bytes in columns {
      let object = try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: [NSDictionary.self, NSArray.self, NSString.self], from: bytes)
      #expect(Self.plain(object) == value)
    }
    #expect(try reader.verify(against: EntityHierarchy(model)) == [])
  }

  /// What Foundation read, with texts alone in it.
  private static func plain(_ object: Any?) -> ArchivedValue? {
    if let text = object as? String { return .string(text) }
    if let members = object as? [Any] { return .array(members.compactMap { plain($0) }) }
    if let entries = object as? [String: Any] { return .dictionary(entries.compactMapValues { plain($0) }) }
    return nil
  }
}
