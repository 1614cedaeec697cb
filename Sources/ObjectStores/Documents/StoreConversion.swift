public import AtomicStores
package import Foundation
import ModelDescription
public import ModelFiles
public import PersistentStores
public import StoreRows

/// Writes what a store holds into a new store of another kind.
public struct StoreConversion: Sendable {
  /// The version of both.
  public let version: LoadedVersion
  /// Asked often; true gives up, and no new store is there then.
  public var interruption: (@Sendable () -> Bool)?

  /// Takes the version that the objects are of.
  public init(_ version: LoadedVersion) { self.version = version }

  /// What was written.
  public struct Outcome: Hashable, Sendable {
    /// What the new store holds.
    public let document: StoreDocument
    /// The links that the new store lacks, as they lead to objects which are not there.
    public let linksToNothing: [LinkToNothing]
  }

  /// Converts a store of any kind.
  ///
  /// - Parameters:
  ///   - path: where the new store is to be; nothing may be there.
  ///   - kind: its kind; nil for SQLite.
  /// - Throws: `StoreError`, `StoreCreationError`, `interrupted` among them, `StoreDocumentError`; no new store is
  ///   there then.
  @discardableResult
  public func convert(_ reader: StoreReader, to path: String, kind: (any StoreKind)?) throws -> Outcome {
    try write(StoreDocument(of: reader, model: version.hierarchy), to: path, kind: kind)
  }

  /// Converts a store that is read as a whole into another such, without a SQLite store between them.
  ///
  /// - Parameter path: where the new store is to be; nothing may be there.
  @discardableResult
  public func convert(
    _ store: String, of source: any StoreKind, to path: String, kind: any StoreKind
  ) throws -> Outcome {
    let bytes = try FileBytes.whole(store)
    let document = try source.checkedDocument(in: bytes, of: version.hierarchy, path: store)
    return try write(document, to: path, kind: kind, framework: document.metadata.frameworkVersion)
  }

  /// Converts a SQLite store.
  ///
  /// - Parameters:
  ///   - store: the SQLite store, which is only read.
  ///   - path: where the new store is to be; nothing may be there.
  ///   - kind: its kind; nil for SQLite.
  ///   - numbers: those of which the SQLite store keeps fewer digits, and the new one is to have all.
  /// - Throws: `StoreError`, `StoreCreationError`, `StoreDocumentError`; no new store is there then.
  @discardableResult
  public func convert(
    _ store: String, to path: String, kind: (any StoreKind)?, numbers: [RoundedDecimal] = []
  ) throws -> Outcome {
    var document = try StoreDocument(storeAt: store, model: version.hierarchy)
    document.restore(numbers.map { ExactValue($0) })
    return try write(document, to: path, kind: kind)
  }

  /// Finds the decimal numbers of a document that a SQLite store keeps in fewer digits.
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

  /// Makes a file of bytes, which is there whole or not at all; nothing may be there.
  package static func place(_ bytes: Data, at path: String) throws {
    try AtomicFile(path: path, SystemFiles()).create(with: bytes)
  }

  /// Writes a document into a new store; links to nothing are left out.
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

  /// Makes a store of any kind by making a SQLite store.
  ///
  /// - Parameters:
  ///   - path: where the new store is to be; nothing may be there.
  ///   - kind: its kind; nil for SQLite.
  ///   - body: makes a SQLite store at the path that it is given; its errors name the store that they are about.
  /// - Throws: as a conversion, and what the body throws.
  public func make<Value>(at path: String, kind: (any StoreKind)?, _ body: (String) throws -> Value) throws -> Value {
    try make(at: path, kind: kind, [], keepsDigits: false, body).value
  }

  /// Makes a store of any kind of the objects of another, by making a SQLite store.
  ///
  /// - Parameters:
  ///   - path: where the new store is to be; nothing may be there.
  ///   - kind: its kind; nil for SQLite.
  ///   - keepsDigits: true where the values are those of the other store, and decimal numbers have all digits of them.
  ///   - body: makes a SQLite store at the path that it is given; its errors name the store that they are about.
  /// - Returns: what the body returns, and how many decimal numbers have fewer digits than in the other store.
  /// - Throws: as a conversion, and what the body throws.
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
  /// Gives values to objects for which the rows that they were read from have no room.
  ///
  /// - Parameter exact: the values; a decimal number is given to an attribute that has the nearest number of 53 bits.
  /// - Returns: how many decimal numbers were given.
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
