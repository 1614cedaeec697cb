package import Foundation
package import GRDB
public import ModelDescription
import ModelFiles

/// Checks that the files that rows refer to exist, each for a single value.
struct ExternalDataCheck {
  private typealias BinaryColumn = (table: String, column: String, address: PropertyAddress)

  let hierarchy: EntityHierarchy
  let layout: SQLStoreLayout
  let folder: String

  func problems(in database: Database) throws -> [StoreFinding] {
    let places = places
    var problems: [StoreFinding] = []
    // Every name counts once, so that little is kept of files that are much larger.
    var (named, shared): (Set<UUID>, Set<UUID>) = ([], [])
    for place in places {
      problems += try finding(
        .missingFile, "the file of external binary data is missing from \(folder)", place, database
      ) {
        if let name = UUID(uuidString: $0), !named.insert(name).inserted { shared.insert(name) }
        return FileStatus(folder + "/" + $0)?.kind != .file
      }
    }
    guard !shared.isEmpty else { return problems }
    for place in places {
      problems += try finding(
        .sharedFile, "another value uses the same file of external binary data", place, database
      ) {
        UUID(uuidString: $0).map(shared.contains) ?? false
      }
    }
    return problems
  }

  /// The number of values that name a missing file.
  func missingCount(in database: Database) throws -> Int {
    try places.reduce(0) { count, place in
      count
        + (try finding(.missingFile, "", place, database) { FileStatus(folder + "/" + $0)?.kind != .file })
        .reduce(0) { $0 + $1.count }
    }
  }

  /// The columns of the attributes that allow external storage.
  private var places: [BinaryColumn] {
    layout.tables.flatMap { table in
      table.columns.compactMap { column -> BinaryColumn? in
        guard case .attribute(let address) = column.role,
          let declared = hierarchy.allAttributes(of: address.entity)[address.property],
          declared.property.allowsExternalBinaryDataStorage
        else { return nil }
        return (table.name, column.name, address)
      }
    }
  }

  /// Finds the rows with a matching file name; references are short, so long values are not read.
  private func finding(
    _ kind: StoreFinding.Kind, _ sentence: String, _ place: BinaryColumn, _ database: Database,
    where isFound: (String) -> Bool
  ) throws -> [StoreFinding] {
    var count = 0
    var keys: [Int64] = []
    let name = SQLIdentifier(place.column)
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT Z_PK, \(name) FROM \(SQLIdentifier(place.table)) WHERE length(\(name)) = ? AND typeof(\(name)) = ?",
      arguments: [38, "blob"])
    while let row = try rows.next() {
      guard let value = row.blob(1), let file = ExternalData.fileName(in: value), isFound(file) else { continue }
      count += 1
      if keys.count < RowChecker.keyLimit, let key = row.integer(0) { keys.append(key) }
    }
    guard count > 0 else { return [] }
    return [
      StoreFinding(
        kind, entity: place.address.entity, property: place.address.property, count: count, primaryKeys: keys,
        sentence: sentence)
    ]
  }
}

/// The external files of large binary values, and the references to them.
///
/// In stores that Core Data wrote, the value in a row begins with 1 if the data follows, and with 2 if the name of a
/// file follows.
public enum ExternalData {
  /// The first byte of a value that is stored in a file.
  package static let marker: UInt8 = 2

  /// The folder of a store's external data, which may not exist: `.NAME_SUPPORT/_EXTERNAL_DATA` next to the store.
  ///
  /// - Parameter path: the store's file, or a symbolic link to it.
  /// - Returns: the path of the folder next to the link if it exists, or next to the file itself.
  public static func folder(ofStore path: String) -> String {
    let store = URL(fileURLWithPath: path)
    let besidePath = folder(beside: store)
    if FileManager.default.fileExists(atPath: besidePath) { return besidePath }
    return folder(beside: URL(fileURLWithPath: RealPath.of(path)))
  }

  private static func folder(beside store: URL) -> String {
    support(beside: store).appendingPathComponent("_EXTERNAL_DATA").path
  }

  /// The folder next to a store for its external data: `.<name without extension>_SUPPORT`.
  package static func support(beside store: URL) -> URL {
    store.deletingLastPathComponent().appendingPathComponent(
      ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT")
  }

  /// Reads a file; nil if it cannot be read or is not a regular file.
  package static func content(ofFile path: String) -> Data? { try? FileBytes.whole(path) }

  /// The name of the file that a value refers to.
  ///
  /// - Parameter value: the bytes in the row.
  /// - Returns: nil if the value is not a reference, which consists of a 2, the text of a UUID and a 0.
  public static func fileName(in value: some Collection<UInt8>) -> String? {
    guard value.count == 38, value.first == marker else { return nil }
    let text = String(decoding: value.dropFirst().prefix(36), as: UTF8.self)
    return UUID(uuidString: text) == nil ? nil : text
  }
}

/// The hidden folder of a store's large values, if it is missing and values need it.
public struct MissingSupportFolder: Hashable, Sendable, CustomStringConvertible {
  /// The folder's name, such as `.shop_SUPPORT`.
  public let name: String
  /// How many values are in its files.
  public let values: Int

  /// The missing folder and its path, without a full stop.
  public var description: String {
    """
    the hidden folder \(name) belongs beside it and is not there, with the files of \
    \(values == 1 ? "1 value" : "\(values) values"); copy it from where the store was, under this name
    """
  }
}

extension MissingSupportFolder {
  /// Checks the folder next to a store, and reads rows only if it is missing.
  ///
  /// - Returns: nil if the folder exists, or if no value needs it.
  package static func find(
    beside path: String, of hierarchy: EntityHierarchy, in database: Database
  ) throws -> MissingSupportFolder? {
    let folder = ExternalData.folder(ofStore: path)
    let isPossible = hierarchy.model.entities.contains {
      $0.attributes.contains(where: \.allowsExternalBinaryDataStorage)
    }
    guard isPossible, !FileManager.default.fileExists(atPath: folder) else { return nil }
    let snapshot = try StoreSnapshot(reading: database, counting: false)
    let count = try ExternalDataCheck(
      hierarchy: hierarchy, layout: BoundLayout(of: hierarchy, to: snapshot).layout, folder: folder
    ).missingCount(in: database)
    let name = ExternalData.support(beside: URL(fileURLWithPath: path)).lastPathComponent
    return count > 0 ? MissingSupportFolder(name: name, values: count) : nil
  }
}

extension StoreReader {
  /// The folder of external data, if it is missing and values need it.
  public func missingSupportFolder(of model: ManagedObjectModel) throws(StoreError) -> MissingSupportFolder? {
    guard file == path, let hierarchy = try? EntityHierarchy(model) else { return nil }
    return try StoreError.typed(path: path) {
      try read { try MissingSupportFolder.find(beside: path, of: hierarchy, in: $0) }
    }
  }
}
