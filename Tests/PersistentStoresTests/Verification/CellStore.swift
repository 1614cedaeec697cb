import GRDB
import ModelDescription
import PersistentStores
import TestSupport

/// A store with an attribute of every stored type, for tests that replace its cells.
struct CellStore: AlterableStore {
  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Cell",
      attributes: [
        optional("small", .integer16), optional("medium", .integer32), optional("large", .integer64),
        optional("isOpen", .boolean), optional("rate", .double), optional("ratio", .float),
        optional("balance", .decimal), optional("since", .date), optional("name", .string), optional("home", .uri),
        optional("token", .uuid), optional("plain", .binary), external("photo", .binary),
        optional("shape", .transformable), external("drawing", .transformable),
        AttributeDescription(
          name: "place", type: .composite, isOptional: true, elements: [optional("floor", .integer16)]),
      ]),
    EntityDescription(name: "WideCell", superentityName: "Cell", attributes: [optional("small", .integer32)]),
  ])

  private static func optional(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: true)
  }

  private static func external(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: true, allowsExternalBinaryDataStorage: true)
  }

  private let folder: TemporaryFolder
  let path: String
  let hierarchy: EntityHierarchy

  /// Makes a store with two cells, 1 and 2, and a wide one, 3, all of them empty; or one that is filled with rows.
  init(filling rows: SyntheticRows? = nil) throws {
    folder = try TemporaryFolder()
    path = folder.path("Cells.sqlite")
    hierarchy = try EntityHierarchy(Self.model)
    try StoreCreator(of: hierarchy).create(at: path, filling: rows)
    guard rows == nil else { return }
    try execute(
      """
      INSERT INTO ZCELL (Z_PK, Z_ENT, Z_OPT) SELECT column1, Z_ENT, 1
        FROM (VALUES (1, 'Cell'), (2, 'Cell'), (3, 'WideCell')) JOIN Z_PRIMARYKEY ON Z_NAME = column2;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 3;
      """)
  }
}
