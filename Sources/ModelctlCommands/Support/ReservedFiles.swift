import Foundation
import ModelKit

/// A command that gives a result in forms, some of which can go to files.
protocol ResultCommand: ModelctlCommand {
  /// The forms of the result.
  associatedtype Form: OutputForm

  /// In which forms the result is given, and where.
  var output: FormatOptions<Form> { get }
  /// What the command reads or makes, so that no result takes its place.
  var reserved: ReservedFiles { get }
}

extension ResultCommand {
  var reserved: ReservedFiles { ReservedFiles() }

  /// Refuses files in which a result would take the place of data, before the command does anything.
  func checkOutputPlaces() throws(CommandError) {
    for file in output.files { try OutputPlace.check(file, besides: reserved) }
  }
}

/// The files that a run reads or writes itself, so that a report must not take their place.
struct ReservedFiles {
  var stores: [String] = []
  var sources: [String] = []
  /// The journal of a run over many stores.
  var journal: String?
  /// Where results go.
  var outputs: [String] = []

  /// Why a path cannot be that of a report, nil when it can.
  func refusal(for path: String) -> String? {
    let place = Self.place(path)
    if let journal, place == Self.place(journal) { return "it is the journal" }
    if outputs.contains(where: { Self.place($0) == place }) { return "a --format goes there too" }
    for store in stores where belongs(place, to: Self.place(store)) { return "it belongs to the store \(store)" }
    if let source = sources.first(where: { Self.place($0) == place }) { return "\(source) is read" }
    // Of stores that are found in folders only the names are known.
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

  /// Whether a file is a store, its log, its backup or among its external data.
  private func belongs(_ place: String, to store: String) -> Bool {
    if ["", "-wal", "-shm", "-journal"].contains(where: { place == store + $0 }) { return true }
    if place.hasPrefix("\(store)."), place.dropFirst(store.count).contains(".backup") { return true }
    return place.hasPrefix("\(ExternalData.support(beside: URL(fileURLWithPath: store)).path)/")
  }

  /// Where a path leads, also when nothing is there yet.
  private static func place(_ path: String) -> String {
    if let existing = RealPath.existing(path) { return existing }
    let url = URL(fileURLWithPath: path)
    let folder = RealPath.of(url.deletingLastPathComponent().path)
    return "\(folder == "/" ? "" : folder)/\(url.lastPathComponent)"
  }
}
