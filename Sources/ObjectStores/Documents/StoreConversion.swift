public import AtomicStores
package import Foundation
import ModelDescription
public import ModelFiles
public import PersistentStores
public import StoreRows

/// Writes the content of a store to a new store of a different type.
public struct StoreConversion: Sendable {
  /// The version of both.
  public let version: LoadedVersion
  /// Called often; return true to stop without creating the store.
  public var interruption: (@Sendable () -> Bool)?

  /// Creates a conversion for the version of the objects.
  public init(_ version: LoadedVersion) { self.version = version }

  /// The result of a conversion.
  public struct Outcome: Hashable, Sendable {
    /// The content of the new store.
    public let document: StoreDocument
    /// The dangling links that the new store does not have.
    public let linksToNothing: [LinkToNothing]
    /// The number of rows that the new store does not have, because their entity number is of no entity of their table.
    public fileprivate(set) var rowsOfNoEntity = 0
  }

  /// Converts a store of any type.
  ///
  /// - Parameters:
  ///   - path: the path of the new store, which must not exist.
  ///   - kind: its store type; nil for SQLite.
  /// - Throws: `StoreError`, `StoreCreationError`, including `interrupted`, `StoreDocumentError`; no new store exists
  ///   then.
  @discardableResult
  public func convert(_ reader: StoreReader, to path: String, kind: (any StoreKind)?) throws -> Outcome {
    var outcome = try write(StoreDocument(of: reader, model: version.hierarchy), to: path, kind: kind)
    outcome.rowsOfNoEntity = try reader.read { database in
      try RecordReading(of: version.hierarchy, path: reader.file, in: database, provingIndexes: false).rowsOfNoEntity()
    }
    return outcome
  }

  /// Converts an atomic store to a different atomic store, without an SQLite copy.
  ///
  /// - Parameter path: the path of the new store, which must not exist.
  @discardableResult
  public func convert(
    _ store: String, of source: any StoreKind, to path: String, kind: any StoreKind
  ) throws -> Outcome {
    let bytes = try FileBytes.whole(store)
    let document = try source.checkedDocument(in: bytes, of: version.hierarchy, path: store)
    return try write(document, to: path, kind: kind, framework: document.metadata.frameworkVersion)
  }

  /// Converts an SQLite store.
  ///
  /// - Parameters:
  ///   - store: the SQLite store, which is only read.
  ///   - path: the path of the new store, which must not exist.
  ///   - kind: its store type; nil for SQLite.
  ///   - numbers: the decimal numbers with more digits than the SQLite store keeps, for the new store.
  /// - Throws: `StoreError`, `StoreCreationError`, `StoreDocumentError`; no new store exists then.
  @discardableResult
  public func convert(
    _ store: String, to path: String, kind: (any StoreKind)?, numbers: [RoundedDecimal] = []
  ) throws -> Outcome {
    var document = try StoreDocument(storeAt: store, model: version.hierarchy)
    document.restore(numbers.map { ExactValue($0) })
    return try write(document, to: path, kind: kind)
  }

  /// Finds the decimal numbers of a document that an SQLite store keeps with fewer digits.
  ///
  /// - Returns: the numbers in the order of the objects.
  public func roundedDecimals(of document: StoreDocument) -> [RoundedDecimal] {
    let names = Dictionary(
      version.hierarchy.model.entities.map { entity in
        let attributes = version.hierarchy.allAttributes(of: entity.name).values.map(\.property)
        return (entity.name, attributes.filter(\.holdsDecimal).map(\.name).sorted())
      }
    ) { first, _ in first }
    return document.objects.flatMap { object in
      RoundedDecimal.all(in: object.values, of: object.id, attributes: names[object.id.entity] ?? [])
    }
  }

  /// Creates a file atomically; the path must not exist.
  package static func place(_ bytes: Data, at path: String) throws {
    try AtomicFile(path: path, SystemFiles()).create(with: bytes)
  }

  /// Writes a document to a new store without dangling links.
  package func write(
    _ document: StoreDocument, to path: String, kind: (any StoreKind)?, framework: Int64? = nil
  ) throws -> Outcome {
    var document = document
    try checkInterruption(of: path)
    guard let kind else {
      let links = document.removeLinksToNothing(of: version.hierarchy)
      try document.makeStore(at: path, version: version, isInterrupted: interruption)
      return Outcome(document: document, linksToNothing: links)
    }
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
      throw StoreCreationError.exists(path: path)
    }
    document.metadata = document.metadata.of(kind: kind.name, framework: framework)
    let links = document.removeLinksToNothing(of: version.hierarchy)
    try checkInterruption(of: path)
    let bytes = try kind.checkedBytes(of: document, model: version.hierarchy, path: path)
    try checkInterruption(of: path)
    try AtomicFile(path: path, SystemFiles()).create(with: bytes)
    return Outcome(document: document, linksToNothing: links)
  }

  private func checkInterruption(of path: String) throws(StoreCreationError) {
    if interruption?() == true { throw .interrupted(path: path) }
  }

  /// Creates a store of any type from an SQLite store.
  ///
  /// - Parameters:
  ///   - path: the path of the new store, which must not exist.
  ///   - kind: its store type; nil for SQLite.
  ///   - body: creates an SQLite store at the given path; its errors name their store.
  /// - Throws: the errors of a conversion and of `body`.
  public func make<Value>(at path: String, kind: (any StoreKind)?, _ body: (String) throws -> Value) throws -> Value {
    try make(at: path, kind: kind, [], keepsDigits: false, body).value
  }

  /// Creates a store of any type with the objects of a different store, from an SQLite store.
  ///
  /// - Parameters:
  ///   - path: the path of the new store, which must not exist.
  ///   - kind: its store type; nil for SQLite.
  ///   - keepsDigits: true if the values are those of the other store, so that decimal numbers keep all its digits.
  ///   - body: creates an SQLite store at the given path; its errors name their store.
  /// - Returns: the result of `body`, and the number of decimal numbers with fewer digits than in the other store.
  /// - Throws: the errors of a conversion and of `body`.
  public func make<Value>(
    at path: String, kind: (any StoreKind)?, from reader: StoreReader, keepsDigits: Bool,
    _ body: (String) throws -> Value
  ) throws -> (value: Value, rounded: Int) {
    try make(at: path, kind: kind, reader.exactValues(), keepsDigits: keepsDigits, body)
  }

  private func make<Value>(
    at path: String, kind: (any StoreKind)?, _ exact: [ExactValue], keepsDigits: Bool,
    _ body: (String) throws -> Value
  ) throws -> (value: Value, rounded: Int) {
    guard let kind else {
      let value = try body(path)
      if exact.isEmpty { return (value, 0) }
      var document = try StoreDocument(storeAt: path, model: version.hierarchy)
      return (value, document.restore(exact))
    }
    guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
      throw StoreCreationError.exists(path: path)
    }
    let folder = try TemporaryStoreFolder()
    defer { withExtendedLifetime(folder) {} }
    let store = folder.path(of: URL(fileURLWithPath: path).lastPathComponent)
    let value = try StoreError.writingTemporaryStore(store) { try body(store) }
    try checkInterruption(of: path)
    let document = try StoreDocument(storeAt: store, model: version.hierarchy)
    var whole = document
    let rounded = whole.restore(exact)
    _ = try write(keepsDigits ? whole : document, to: path, kind: kind)
    return (value, keepsDigits ? 0 : rounded)
  }
}

extension StoreDocument {
  /// Gives objects the exact values that their rows could not store.
  ///
  /// - Parameter exact: the values; a decimal number is set if the attribute has the nearest number of 53 bits.
  /// - Returns: the number of decimal numbers that were set.
  @discardableResult
  fileprivate mutating func restore(_ exact: [ExactValue]) -> Int {
    guard !exact.isEmpty else { return 0 }
    let values = Dictionary(grouping: exact, by: \.object)
    var count = 0
    for position in objects.indices {
      for exact in values[objects[position].id] ?? [] {
        guard let name = exact.path.first else { continue }
        let (whole, path) = (objects[position].values[name] ?? .null, exact.path.dropFirst())
        if let near = exact.near {
          guard case .attribute(.decimal(let kept)) = whole.element(at: path), Double("\(kept)") == near else {
            continue
          }
          count += 1
        } else if whole.element(at: path) != .null {
          continue
        }
        objects[position].values[name] = whole.replacing(elementAt: path, by: .attribute(exact.value))
      }
    }
    return count
  }
}
