public import AtomicStores
public import Foundation
import ModelDescription
import ModelFiles
public import PersistentStores

extension StoreCreator {
  /// Makes a store of another kind than SQLite.
  ///
  /// - Parameters:
  ///   - path: where; nothing may be there.
  ///   - kind: its kind.
  ///   - uuid: the store's identity; a new one otherwise.
  ///   - rows: what to fill it with; nil leaves it empty.
  ///   - interruption: asked often; true gives up.
  /// - Throws: `StoreCreationError`, `StoreDocumentError` for a value that the kind cannot hold; nothing is left behind then.
  public func create(
    at path: String, kind: any StoreKind, uuid: UUID = UUID(), filling rows: SyntheticRows? = nil,
    interruption: (() -> Bool)? = nil
  ) throws {
    let version = try LoadedVersion(bundle: "", name: "", isCurrent: true, model: hierarchy.model)
    try StoreConversion(version).make(at: path, kind: kind) { store in
      do {
        try StoreError.writingTemporaryStore(store) {
          try create(at: store, uuid: uuid, filling: rows, interruption: interruption)
        }
      } catch StoreCreationError.interrupted {
        throw StoreCreationError.interrupted(path: path)
      } catch StoreCreationError.failed(_, let error) {
        throw StoreCreationError.failed(path: path, error: error)
      }
    }
  }
}
