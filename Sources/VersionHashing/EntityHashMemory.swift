import Foundation
import ModelDescription

/// The hashes of entities that several versions of a model share, so that most are computed once.
///
/// Of every entity the last one is remembered, because it changes in few versions.
package final class EntityHashMemory: @unchecked Sendable {
  private let lock = NSLock()
  private var known: [String: (content: HashedEntity, superentity: VersionHash?, hash: VersionHash)] = [:]

  package init() {}

  /// The hash of an entity, computed where it differs from the last of its name.
  func hash(
    of content: HashedEntity, superentity: VersionHash?, compute: () throws(ModelStructureError) -> VersionHash?
  ) throws(ModelStructureError) -> VersionHash? {
    let name = content.name.text
    if let last = lock.withLock({ known[name] }), last.superentity == superentity, last.content == content {
      return last.hash
    }
    let hash = try compute()
    if let hash { lock.withLock { known[name] = (content, superentity, hash) } }
    return hash
  }
}
