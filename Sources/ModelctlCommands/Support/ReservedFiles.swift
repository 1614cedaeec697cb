import Foundation
import ModelKit

/// A command with output formats that can be written to files.
protocol ResultCommand: ModelctlCommand {
  /// The formats of the result.
  associatedtype Form: FormatOption

  /// The given formats, and their files.
  var output: FormatOptions<Form> { get }
  /// The files that the command reads or makes, which a result must not replace.
  var reserved: ReservedFiles { get }
}

extension ResultCommand {
  var reserved: ReservedFiles { ReservedFiles() }

  /// Refuses a file if a result would replace data there, before the command does anything.
  func checkOutputPaths() throws(CommandError) {
    for file in output.files { try OutputPath.check(file, besides: reserved) }
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
    let path = Self.realPath(path)
    if let journal, path == Self.realPath(journal) { return "it is the journal" }
    if outputs.contains(where: { Self.realPath($0) == path }) { return "a --format writes to it too" }
    for store in stores where belongs(path, to: Self.realPath(store)) { return "it belongs to the store \(store)" }
    if let source = sources.first(where: { Self.realPath($0) == path }) { return "the command reads \(source)" }
    // The stores in folders are known only by their names.
    for suffix in ["-wal", "-shm", "-journal"]
    where path.hasSuffix(suffix) && FileManager.default.fileExists(atPath: String(path.dropLast(suffix.count))) {
      return "it belongs to an SQLite database"
    }
    if path.hasSuffix(".lock.json") { return "it is a lock file" }
    let folders = path.split(separator: "/").dropLast()
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
  private func belongs(_ path: String, to store: String) -> Bool {
    if ["", "-wal", "-shm", "-journal"].contains(where: { path == store + $0 }) { return true }
    if path.hasPrefix("\(store)."), path.dropFirst(store.count).contains(".backup") { return true }
    return path.hasPrefix("\(ExternalData.support(beside: URL(fileURLWithPath: store)).path)/")
  }

  /// The absolute path without links, even if the file does not exist yet.
  private static func realPath(_ path: String) -> String {
    if let existing = RealPath.existing(path) { return existing }
    let url = URL(fileURLWithPath: path)
    let folder = RealPath.of(url.deletingLastPathComponent().path)
    return "\(folder == "/" ? "" : folder)/\(url.lastPathComponent)"
  }
}
