import Foundation
import ModelDescription
import PersistentStores
import TestSupport
import Testing

/// No power cuts: the disk is not told of the renames that give a new store its name.
@Suite("A fault during the creation of a store leaves the complete store or no store")
struct CreationFaultTests {
  private let creator: StoreCreator
  private let uuid = UUID()

  init() throws {
    let model = ManagedObjectModel(entities: [
      .entity("Customer", [.optional("name")], [.toMany("orders", "Order", inverse: "customer")]),
      .entity("Order", [.optional("note")], [.toOne("customer", "Customer", inverse: "orders")]),
    ])
    creator = try StoreCreator(of: EntityHierarchy(model))
  }

  @Test("At every operation of SQLite", arguments: [FaultKind.error, .torn, .full, .death])
  func walk(_ kind: FaultKind) throws {
    let clean = try make(FaultPoint(operation: 0, kind: kind, seed: 0))
    let whole = try #require(clean.image)
    try #require(clean.operations > 5)
    var made = 0
    for operation in 1...clean.operations {
      let trial = try make(FaultPoint(operation: operation, kind: kind, seed: 0))
      guard let image = trial.image else { continue }
      made += 1
      #expect(image == whole, "operation \(operation): \(image.differences(from: whole))")
    }
    print("creation: \(clean.operations) times \(kind.rawValue), made all the same: \(made)")
    #expect(made < clean.operations)
  }

  /// Makes a store on a disk with a fault.
  ///
  /// - Returns: how many operations there were, and what the store says; nil where none was made.
  private func make(_ point: FaultPoint) throws -> (operations: Int, image: StoreImage?) {
    let folder = try TemporaryFolder()
    let path = folder.path("Shop.sqlite")
    let disk = try FaultyDisk(folder: folder.url.path, point)
    var isMade = true
    do {
      try creator.create(at: path, uuid: uuid, filling: SyntheticRows(seed: 1, rowsPerEntity: 200))
    } catch {
      isMade = false
      #expect(!error.description.isEmpty)
    }
    try disk.recover()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(names == (isMade ? ["Shop.sqlite"] : []), "\(point), \(disk.struck ?? "the end")")
    return (disk.count, isMade ? try StoreImage(copying: path, into: folder.url.path + "-image") : nil)
  }
}
