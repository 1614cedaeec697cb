package import ModelFiles
package import PersistentStores

/// The metadata of a store in the JSON form.
package enum JSONStoreMetadata {
  /// Reads metadata.
  ///
  /// - Throws: ``StoreDocumentError``.
  package static func read(_ node: JSONNode, path: String) throws(StoreDocumentError) -> StoreMetadata {
    let uuid: String
    var entries: [String: PropertyList] = [:]
    do throws(JSONFileError) {
      let object = try node.object()
      uuid = try object.required("NSStoreUUID").string()
      for member in object.members where member.key != "NSStoreUUID" {
        entries[member.key] = try JSONPropertyList.list(member.value, key: member.key)
      }
    } catch {
      throw StoreDocumentError(error, path: path)
    }
    do throws(StoreError) {
      return try StoreMetadata(uuid: uuid, entries: entries, path: path)
    } catch {
      throw StoreDocumentError(error, path: path, at: .line(node.location.line, column: node.location.column))
    }
  }
}
