import Foundation
import ModelDescription
import ObjectStores
import PersistentStores
import StoreRows
import TestSupport
import Testing

@Suite("A store that cannot be written to")
struct UnwritableStoreTests {
  /// A store with a customer that nobody has open, with a log or a rollback journal.
  private func closedShop(hasLog: Bool) throws -> (shop: ShopStore, anna: RecordID) {
    let shop = try ShopStore()
    let anna = try shop.customer()
    try shop.store.close()
    if !hasLog { try shop.execute("PRAGMA journal_mode = DELETE") }
    return (shop, anna)
  }

  private func waiting(_ seconds: Double) -> OpeningOptions {
    var options = OpeningOptions()
    options.busyTimeout = seconds
    return options
  }

  @Test("While another process writes it is read, and a save waits and is refused", arguments: [true, false])
  func locked(hasLog: Bool) throws {
    let (shop, anna) = try closedShop(hasLog: hasLog)
    let store = try shop.another(waiting(0.2))
    let other = try OtherProcess(holding: shop.path, sql: "BEGIN IMMEDIATE")
    #expect(throws: StoreError.heldByAnotherProcess(path: shop.path)) { try store.write { try $0.delete(anna) } }
    #expect(try store.read { try $0.object(anna) } != nil)
    other.end()
    try store.write { try $0.delete(anna) }
    #expect(try store.read { try $0.object(anna) } == nil)
    try store.close()
  }

  @Test("A save that another process lets through in time is saved", arguments: [true, false])
  func waited(hasLog: Bool) throws {
    let (shop, anna) = try closedShop(hasLog: hasLog)
    let store = try shop.another(waiting(30))
    let other = try OtherProcess(holding: shop.path, sql: "BEGIN IMMEDIATE")
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.2)
      other.end()
    }
    try store.write { try $0.delete(anna) }
    #expect(try store.read { try $0.object(anna) } == nil)
    try store.close()
  }

  @Test("A store that another process locks exclusively is not read and not opened")
  func exclusive() throws {
    let (shop, anna) = try closedShop(hasLog: false)
    let store = try shop.another(waiting(0.2))
    let other = try OtherProcess(holding: shop.path, sql: "BEGIN EXCLUSIVE")
    #expect(throws: StoreError.heldByAnotherProcess(path: shop.path)) { try store.read { try $0.object(anna) } }
    let error = #expect(throws: StoreError.self) { try shop.another(waiting(0.2)) }
    #expect(error?.description.hasPrefix("\(shop.path): another process has the store open") == true)
    other.end()
    #expect(try store.read { try $0.object(anna) } != nil)
    try store.close()
  }

  @Test(
    "In a folder that may not be written it is not opened, and none is made there",
    .enabled(if: ProtectedFolder.isPossible, "this user may write everywhere, and chattr does not work here"),
    arguments: [true, false])
  func protectedFolder(hasLog: Bool) throws {
    let (shop, _) = try closedShop(hasLog: hasLog)
    let before = try Data(contentsOf: URL(fileURLWithPath: shop.path))
    let protection = ProtectedFolder(shop.folder.url)
    let refusal = StoreError.readOnlyFolder(path: shop.path)
    #expect(throws: refusal) { try shop.another() }
    #expect(refusal.cause == "the folder of the store is not writable, and SQLite needs to create files in it")
    let missing = shop.folder.path("none.sqlite")
    #expect(throws: StoreCreationError.readOnlyFolder(path: missing)) {
      try ObjectStore.open(missing, model: ShopStore.model)
    }
    protection.lift()
    #expect(try Data(contentsOf: URL(fileURLWithPath: shop.path)) == before)
  }

  @Test(
    "If the folder of external data is not writable, nothing is saved, and the folder is named",
    .enabled(if: ProtectedFolder.isPossible, "this user may write everywhere, and chattr does not work here"))
  func protectedSupport() throws {
    let shop = try ShopStore()
    let support = (ExternalData.folder(ofStore: shop.path) as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: support, withIntermediateDirectories: true)
    let protection = ProtectedFolder(URL(fileURLWithPath: support))
    let photo = RecordValue.attribute(.binary(Data(count: 200 * 1024)))
    let refusal = RecordWritingError.readOnlyFolder(path: support)
    #expect(throws: refusal) { try shop.customer("Anna", ["photo": photo]) }
    #expect(refusal.advice?.text.contains("chmod u+w ") == true)
    #expect(!refusal.description.contains("NSPOSIXErrorDomain"))
    #expect(try shop.store.count(RecordRequest("Customer")) == 0)
    protection.lift()
    try shop.customer("Anna", ["photo": photo])
    #expect(try shop.store.count(RecordRequest("Customer")) == 1)
  }

  @Test(
    "A file that may not be written is not opened",
    .enabled(if: ProtectedFolder.isPossible, "this user may write everywhere, and chattr does not work here"))
  func protectedFile() throws {
    let (shop, _) = try closedShop(hasLog: true)
    let folder = try TemporaryFolder()
    let path = folder.path("shop.sqlite")
    // A second name of the file, in a folder that may be written.
    try FileManager.default.linkItem(atPath: shop.path, toPath: path)
    let protection = ProtectedFolder(shop.folder.url)
    #expect(throws: StoreError.readOnly(path: path)) { try ObjectStore.open(path, model: ShopStore.model) }
    protection.lift()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["shop.sqlite"])
  }
}
