import Foundation
import ModelDescription
import ObjectStores
import StoreRows
import TestSupport

/// Saves photos, each in a save of its own, which gives the photo before it the same data: two files come, and one goes.
struct PhotoSaving {
  /// The store.
  let path: String
  /// How many photos.
  let count: Int

  func run() throws {
    var options = OpeningOptions()
    options.busyTimeout = 60
    let store = try ObjectStore.open(path, model: PhotoAlbum.model, options: options)
    var last: RecordID?
    for number in 1...count {
      let data = RecordValue.attribute(.binary(PhotoAlbum.data(number)))
      let before = last
      let saved: RecordID = try store.write { transaction in
        if let before { try transaction.update(before, ["data": data]) }
        return try transaction.insert("Photo", ["number": .attribute(.integer(Int64(number))), "data": data])
      }
      last = saved
      FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
    try store.close()
  }
}
