import Foundation
import ModelKit

/// Opens a store with a bundle that is named and nothing else, and writes what it finds: a line for what opening did, and
/// one for each customer.
struct NamedOpening {
  /// The store.
  let path: String
  /// The bundle, or a folder with it.
  let bundle: String

  func run() throws {
    let store = try ObjectStore.open(path, model: Workspace(at: bundle).load())
    var lines = ["\(store.opening)"]
    let customers = try store.read { try $0.fetch(RecordRequest("Customer")) }
    for customer in customers { lines.append("\(customer.id): \(customer["searchName"] ?? .null)") }
    try store.close()
    FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}
