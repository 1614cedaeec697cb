import Foundation
import ModelKit

/// A command with output formats that can be written to files.
protocol ResultCommand: ModelctlCommand {
  /// The formats of the result.
  associatedtype Form: OutputForm

  /// The given formats, and their files.
  var output: FormatOptions<Form> { get }
  /// The files that the command reads or makes, which a result must not replace.
  var reserved: ReservedFiles { get }
}

extension ResultCommand {
  var reserved: ReservedFiles { ReservedFiles() }

  /// Refuses a file if a result would replace data there, before the command does anything.
  func checkOutputPlaces() throws(CommandError) {
    for file in output.files { try OutputPlace.check(file, besides: reserved) }
  }
}

/// The files that a run reads or writes, which a report must not replace.
struct ReservedFiles {
  var stores: [String] = []
  var sources: [String] = []
  /// The journal of a run over many stores.
  var journal: String?
  /// The files of the results.
  var outputs: [String] = []

  /// The reason why a report cannot have this path, or nil if it can.
  func refusal(for path: String) -> String? {
    let place = Self.place(path)
    if let journal, place == Self.place(journal) { return "it is the journal" }
    if outputs.contains(where: { Self.place($0) == place }) { return "a --format goes there too" }
    for store in stores where belongs(place, to: Self.place(store)) { return "it belongs to the store \(store)" }
    if let source = sources.first(where: { Self.place($0) == place }) { return "\(source) is read" }
    // The stores in folders are known only by their names.
    for suffix in ["-wal", "-shm", "-journal"]
    where place.hasSuffix(suffix) && FileManager.default.fileExists(atPath: String(place.dropLast(suffix.count))) {
      return "it belongs to an SQLite database"
    }
    if place.hasSuffix(".lock.json") { return "it is a lock file" }
    let folders = place.split(separator: "/").dropLast()
    if folders.contains(where: { $0.hasPrefix(".") && $0.hasSuffix("_SUPPORT") }) {
      return "it belongs to the external data of a store"
    }
    let bundles = folders.filter { name in
      Self.bundleExtensions.contains { name.lowercased().hasSuffix(".\($0)") }
    }
    return bundles.first.map { "it is inside the bundle \($0)" }
  }

  private static let bundleExtensions = ["xcdatamodeld", "xcdatamodel", "xcmappingmodel", "momd"]

  /// True if a file is a store, its log, its backup, or part of its external data.
  private func belongs(_ place: String, to store: String) -> Bool {
    if ["", "-wal", "-shm", "-journal"].contains(where: { place == store + $0 }) { return true }
    if place.hasPrefix("\(store)."), place.dropFirst(store.count).contains(".backup") { return true }
    return place.hasPrefix("\(ExternalData.support(beside: URL(fileURLWithPath: store)).path)/")
  }

  /// The absolute path without links, even if the file does not exist yet.
  private static func place(_ path: String) -> String {
    if let existing = RealPath.existing(path) { return existing }
    let url = URL(fileURLWithPath: path)
    let folder = RealPath.of(url.deletingLastPathComponent().path)
    return "\(folder == "/" ? "" : folder)/\(url.lastPathComponent)"
  }
}
