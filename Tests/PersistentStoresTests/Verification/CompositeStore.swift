import ModelDescription
import PersistentStores
import TestSupport

/// A store of places 1 and 2, with complete composite values, and of shops 3 and 4, which must have one more.
struct CompositeStore: AlterableStore {
  private static let model = ManagedObjectModel {
    Composite("Geo") {
      Attribute("lat", .double)
      Attribute("lon", .double)
      Attribute("note", .string).optional()
    }
    Composite("Address") {
      Attribute("street", .string)
      Attribute("geo", .composite("Geo")).optional()
    }
    Entity("Place") {
      Attribute("geo", .composite("Geo")).optional()
      Attribute("home", .composite("Address"))
    }
    Entity("Shop", parent: "Place") { Attribute("geo", .composite("Geo")) }
  }

  private let folder: TemporaryFolder
  let path: String
  let hierarchy: EntityHierarchy

  init(of model: ManagedObjectModel = Self.model) throws {
    folder = try TemporaryFolder()
    path = folder.path("Places.sqlite")
    hierarchy = try EntityHierarchy(model)
    var rows = SyntheticRows(seed: 1, rowsPerEntity: 2)
    rows.gaps = .none
    try StoreCreator(of: hierarchy).create(at: path, filling: rows)
  }
}
