import AtomicStores
public import Foundation
import ModelFiles
import ObjectStores
import Reports
public import StoreContents

extension LoadedWorkspace {
  /// Merges two edits of one JSON store.
  ///
  /// - Parameters:
  ///   - theirs: the store of the other side.
  ///   - base: the common ancestor; an empty file when both sides added the store.
  ///   - ours: our side; the file is not written.
  ///   - name: the name of our side in messages; nil to use the three paths.
  /// - Returns: the merge, and its text, with conflicts between git's conflict markers.
  /// - Throws: `StoreDocumentError`, `StoreError`, `StoreMergeError`, and ``WorkspaceError/noModelInStore(path:)`` if
  ///   the workspace does not have the store's version.
  public func merge(
    baseAt base: String, oursAt ours: String, theirsAt theirs: String, name: String?
  ) throws -> (merge: StoreMerge, text: Data) {
    let names = name.map { ("\($0), base", $0, "\($0), theirs") } ?? (base, ours, theirs)
    let (own, version) = try side(ours, named: names.1)
    let other = try side(theirs, named: names.2).document
    let isAddedByBoth = try FileManager.default.attributesOfItem(atPath: base)[.size] as? Int == 0
    let ancestor = isAddedByBoth ? nil : try side(base, named: names.0).document
    let merge = try StoreMerge(base: ancestor, ours: own, theirs: other, model: version.hierarchy, paths: names)
    let kind = JSONStoreKind()
    let bytes = try kind.bytes(of: merge.merged, model: version.hierarchy)
    guard !merge.conflicts.isEmpty else { return (merge, bytes) }
    let text = ConflictMarkers.text(
      ours: String(decoding: bytes, as: UTF8.self),
      theirs: String(decoding: try kind.bytes(of: merge.alternative, model: version.hierarchy), as: UTF8.self))
    return (merge, Data(text.utf8))
  }

  /// The objects of one side, with both ends of each link.
  private func side(_ file: String, named name: String) throws -> (document: StoreDocument, version: LoadedVersion) {
    do {
      let mirror = try StoreMirror.of(file, kinds: [JSONStoreKind()], identify: version(of:))
      guard let mirror else { throw StoreDocumentError(path: name, nil, .malformed("this is not a JSON store")) }
      guard let version = mirror.version else { throw WorkspaceError.noModelInStore(path: name) }
      return (try mirror.document(of: version.hierarchy), version)
    } catch var error as StoreDocumentError {
      error.path = name
      throw error
    }
  }
}
