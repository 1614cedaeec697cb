import Foundation
import TestSupport
import Testing

@Suite("A store that Core Data made is shown to lock", .enabled(if: Corpus.isPresent, "\(Corpus.absence)"))
struct LockStoreTests {
  private static let name = "CoreDataMigration_Example"

  /// A bundle of four versions whose current one is the second, and a store of the third.
  private func workspace() throws -> SampleFolder {
    let workspace = try SampleFolder(emptyNamed: "Stores")
    let root = try #require(Corpus.folder).path
    let owner = "wibosco+CoreDataMigration-Example"
    try workspace.shell(
      """
      find '\(root)/models/\(owner)' -name '\(Self.name).xcdatamodeld' -exec cp -R {} . ';'
      cp '\(root)/stores/\(owner)/\(Self.name)_3.sqlite' Stores/3.sqlite
      chmod -R u+w .
      sed -i.bak 's/Example 4/Example 2/' \(Self.name).xcdatamodeld/.xccurrentversion
      """)
    return workspace
  }

  @Test("Its version is recorded")
  func version() throws {
    let locked = try workspace().modelctl("lock", "--store", "Stores/3.sqlite", "--allow-data-loss", "Post.hexColor")
    #expect(locked.status == 0, "\(locked)")
    #expect(locked.standardOutput.hasPrefix("\(Self.name).lock.json: \(Self.name) 3 recorded as released"), "\(locked)")
  }

  @Test("With --all its version is a draft like every version after the current version")
  func allVersions() throws {
    let locked = try workspace().modelctl("lock", "--all", "--store", "Stores/3.sqlite")
    #expect(locked.status == 0, "\(locked)")
    let states = locked.standardOutput.split(separator: "\n").filter { $0.hasPrefix(Self.name) }.map { line in
      line.contains(" recorded as a draft") ? "draft" : line.contains(" recorded as released") ? "released" : "\(line)"
    }
    #expect(states == ["released", "released", "draft", "draft"], "\(locked)")
  }

  @Test("The recorded names are reported, also for a version that is already recorded")
  func words() throws {
    let workspace = try workspace()
    try workspace.shell("modelctl lock --all")
    let locked = try workspace.modelctl("lock", "--store", "Stores/3.sqlite")
    #expect(
      locked.status == 0 && locked.standardOutput.contains("\(Self.name).lock.json: \(Self.name) 3 "), "\(locked)")
  }
}
