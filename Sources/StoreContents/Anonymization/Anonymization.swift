package import Foundation
import GRDB
import MigrationSQL
public import ModelDescription
public import PersistentStores

/// Copies stores with all personal data replaced.
///
/// Keys, links, orders, versions and the schema are kept, so that a copy migrates as the store does. A copy is written
/// under a temporary name in its folder and renamed when it is complete. Values are masked before they are written.
///
/// ```swift
/// let reader = try StoreReader(path: "store.sqlite")
/// defer { reader.close() }
/// let model = try EntityHierarchy(ManagedObjectModel { Entity("Note") { Attribute("text", .string) } })
/// try Anonymization(of: model, seed: 7).copy(reader, to: "anonymous.sqlite")
/// ```
public struct Anonymization: Sendable {
  private let hierarchy: EntityHierarchy
  private let rules: AnonymizationRules
  private let seed: UInt64
  /// Whether to refuse a store that lacks a file of external data; if not, the copy lacks the file too.
  public var needsExternalFiles = false
  /// The bytes of the store's own model, for the copy; nil for a copy without a model.
  package var cachedModel: Data?

  /// Creates an anonymization.
  ///
  /// - Parameter seed: the seed; equal seeds give equal copies of a store. With the seed, one can test whether a text
  ///   was in the store.
  public init(of hierarchy: EntityHierarchy, rules: AnonymizationRules = AnonymizationRules(), seed: UInt64) {
    (self.hierarchy, self.rules, self.seed) = (hierarchy, rules, seed)
  }

  /// The objects of a copy, and the links that it lacks.
  public struct Outcome: Hashable, Sendable {
    /// The number of its objects.
    public let objects: Int
    /// The links that the copy lacks, because they point to rows that do not exist.
    public let linksToNothing: DanglingLinks
  }

  /// Makes a copy.
  ///
  /// - Parameters:
  ///   - reader: the store, which is only read.
  ///   - output: the path of the copy; it must not exist.
  /// - Throws: ``AnonymizationError``, `StoreError` if the store cannot be read or lacks a table, `StoreCreationError`
  ///   if the copy cannot be made, `RecordWritingError` if a required file of external data is missing.
  @discardableResult
  public func copy(_ reader: StoreReader, to output: String) throws -> Outcome {
    let usesLog = try StoreReader.usesWriteAheadLog(path: reader.file)
    try StagedStore.checkAbsence(of: output)
    var made: StagedStore?
    do {
      let outcome = try reader.read { database in
        // The reading begins anew where another process wrote meanwhile.
        made?.discard()
        let staged = try StagedStore(for: output)
        made = staged
        if !reader.isTemporary { try IndexCheck.prove(database, path: reader.path) }
        let snapshot = try StoreSnapshot(reading: database, counting: false)
        let bound = BoundLayout(of: hierarchy, to: snapshot)
        try bound.checkWholeness(of: hierarchy, path: reader.path)
        var store = StoreModel(hierarchy: hierarchy, layout: bound.layout)
        store.keepsExactValues = reader.isTemporary
        let plan = try AnonymizationPlan(store, rules: rules, path: reader.path, in: database)
        let copy = AnonymousCopy(
          source: database, hierarchy: hierarchy, path: reader.file, staged: staged, seed: seed, usesLog: usesLog,
          needsExternalFiles: needsExternalFiles, cachedModel: cachedModel)
        return try copy.write(plan)
      }
      try made?.publish()
      return outcome
    } catch {
      made?.discard()
      throw error
    }
  }
}
