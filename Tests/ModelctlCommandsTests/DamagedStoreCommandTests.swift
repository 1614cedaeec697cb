import Foundation
import Testing

@Suite("A damaged store is told apart from a sound one")
struct DamagedStoreCommandTests {
  @Test("Links to rows that are not there")
  func verify() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("sound.sqlite")
    try workspace.makeStore("damaged.sqlite")
    try Damage.dangle(workspace.url.appendingPathComponent("damaged.sqlite").path)
    let result = try workspace.modelctl("verify", "damaged.sqlite", "sound.sqlite")
    #expect(
      result.standardOutput == """
        damaged.sqlite: not what version v1 says
          error: RowOfOrder.order: the referenced row of Order is not there (5 rows,
            Z_PK 1, 2, 3, 4, 5) [dangling-reference]
        sound.sqlite: sound, everything is as version v1 says

        """)
    #expect(result.standardError.isEmpty)
    #expect(result.status == 1)
  }

  @Test("What was broken before does not stop a migration, which does not make it worse")
  func migrate() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("damaged.sqlite")
    try Damage.dangle(workspace.url.appendingPathComponent("damaged.sqlite").path)
    #expect(try workspace.modelctl("migrate", "damaged.sqlite", "--to", "v4").status == 0)
    #expect(try workspace.modelctl("verify", "damaged.sqlite").status == 1)
  }

  @Test("A text that is not UTF-8 is an error of the store, and stops neither a rehearsal nor a migration")
  func text() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("damaged.sqlite")
    try Damage.garble(workspace.url.appendingPathComponent("damaged.sqlite").path)
    let verified = try workspace.modelctl("verify", "damaged.sqlite")
    #expect(verified.status == 1 && verified.standardOutput.contains("error: Customer.name: the text is not UTF-8"))
    let queried = try workspace.modelctl("query", "damaged.sqlite", "Customer")
    #expect(queried.status == 2 && queried.standardError.contains("Customer 2: what stands for name is no value"))
    #expect(queried.standardError.contains("modelctl verify lists all such values of a store"), "\(queried)")
    let rehearsed = try workspace.modelctl("rehearse", "--store", "damaged.sqlite")
    #expect(rehearsed.status == 0, "\(rehearsed)")
    #expect(try workspace.modelctl("migrate", "damaged.sqlite", "--to", "v4").status == 0)
    #expect(try workspace.modelctl("verify", "damaged.sqlite").status == 1)
  }

  @Test("A mapping model leaves dangling links behind, and what then lacks a required link is told with its rows")
  func map() throws {
    let workspace = try SampleFolder()
    try workspace.makeStore("damaged.sqlite")
    try Damage.dangle(workspace.url.appendingPathComponent("damaged.sqlite").path)
    let before = try workspace.contents()
    let result = try workspace.modelctl("migrate", "damaged.sqlite")
    #expect(result.status == 2)
    #expect(result.standardError.contains("missing attribute values on mandatory destination relationship"))
    #expect(try workspace.contents() == before)
  }
}
