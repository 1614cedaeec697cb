import Foundation
import ModelDescription
import ObjectStores
import StoreRows
import TestSupport
import Testing

@Suite("A pattern that does not end")
struct EndlessPatternTests {
  @Test("An attribute's expression that tries endless ways to match refuses the value in the end")
  func endless() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel {
      Entity("Note") { Attribute("text", .string).regularExpression("(a+)+b") }
    }
    let store = try ObjectStore.open(folder.path("notes.sqlite"), model: model)
    let error = #expect(throws: SaveError.self) {
      try store.write { try $0.insert("Note", ["text": .attribute(.string(String(repeating: "a", count: 60)))]) }
    }
    #expect(error?.code == 1680)
  }
}
