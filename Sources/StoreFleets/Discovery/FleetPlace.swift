import Foundation
import PersistentStores

/// What somebody named to be migrated: a folder to look through, or a store.
struct FleetPlace: Hashable {
  /// As it was written.
  let given: String
  /// The real path; nil when nothing is there.
  let realPath: String?
  let isFolder: Bool

  init(_ given: String) {
    self.given = given
    realPath = StoreFiles.existingPath(of: given)
    isFolder = realPath.flatMap { FileStatus($0) }?.kind == .folder
  }

  /// The path of a file in the folder, as somebody writes it who wrote the folder so.
  func path(of relative: String) -> String {
    if given == "." { return relative }
    return given.hasSuffix("/") ? given + relative : "\(given)/\(relative)"
  }

  /// The places without those that are named twice.
  static func places(_ given: [String]) -> [FleetPlace] {
    var seen: Set<String> = []
    return given.map(FleetPlace.init).filter { seen.insert($0.realPath ?? $0.given).inserted }
  }
}
