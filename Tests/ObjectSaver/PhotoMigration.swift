import Foundation
import ModelDescription
import ModelFiles
import ObjectStores
import PersistentStores
import StoreMigration
import StoreRows
import TestSupport

/// Opens a store of photos whose model has a title more than it had, and writes what it finds: a line for what opening did,
/// and one for each photo.
struct PhotoMigration {
  /// The store.
  let path: String

  func run() throws {
    var titled = PhotoAlbum.model
    titled.entities[0].attributes.append(AttributeDescription(name: "title", type: .string, isOptional: true))
    let versions = [
      try LoadedVersion(bundle: "Album", name: "v1", isCurrent: false, model: PhotoAlbum.model),
      try LoadedVersion(bundle: "Album", name: "v2", isCurrent: true, model: titled),
    ]
    var options = OpeningOptions()
    options.busyTimeout = 60
    let request = MigrationRequest(path: path, versions: versions, destination: versions[1])
    let store = try ObjectStore.open(request, options: options)
    var lines: [String] = []
    switch store.opening {
    case .created: lines.append("created")
    case .opened: lines.append("opened")
    case .migrated(let from, let to, _): lines.append("migrated \(from) to \(to)")
    }
    let photos = try store.read { try $0.fetch(RecordRequest("Photo")) }
    for photo in photos {
      lines.append("\(photo.id): \(photo["number"] ?? .null), \(photo["title"] ?? .null), \(photo["data"] ?? .null)")
    }
    try store.close()
    FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}
