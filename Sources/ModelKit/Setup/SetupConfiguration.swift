import AtomicStores
import Foundation
import ModelChecks
import ModelFiles
import StoreMigration

/// The configuration of a project during the setup, with its exclusions.
struct SetupConfiguration {
  /// Folders of package managers and Xcode, with models that do not belong to the project.
  private static let foreignFolders: Set<String> = [
    "Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules",
  ]

  /// The bundles that are the project's own.
  let paths: [String]
  /// The file to write; nil if there is none.
  let file: SetupFile?
  let notes: [String]

  /// Finds the bundles and the configuration.
  ///
  /// - Parameters:
  ///   - search: the search for bundles.
  ///   - top: the top of the repository; nil outside a repository.
  ///   - reader: the reader that migrates the stores of users; nil if it is undecided.
  ///   - export: the path of the export of a CloudKit container; nil if there is none.
  init(
    of configuration: CheckConfiguration, in search: ProjectSearch, top: String?, migratedBy reader: MigrationReader?,
    export: String? = nil
  ) throws {
    let folder = search.project.path
    let found = search.files(under: folder).bundles
    let root = top ?? RealPath.of(folder)
    let foreign = found.compactMap { path in Self.foreignFolder(of: RealPath.of(path), below: root).map { (path, $0) } }
    let others = Set(foreign.map(\.0))
    paths = found.filter { !others.contains($0) }
    let patterns = Set(foreign.map { "\($0.1)/**" }).sorted()
    let list = patterns.map { "\"\($0)\"" }.joined(separator: ", ")
    var notes: [String] = []
    if let path = configuration.path {
      let folder = BundlePath.parent(path)
      let added =
        (reader != nil && configuration.migratedBy == nil ? reader.map { [Self.key($0)] } ?? [] : [])
        + (try export.flatMap { try Self.hasContainers(path) ? nil : [Self.key(ofExport: $0, from: folder)] } ?? [])
      if let export, try Self.hasContainers(path),
        !configuration.exportPaths.contains(where: { RealPath.of($0) == RealPath.of(export) })
      {
        notes.append("\(path) has “cloudKit” already; to check against \(export), add it there as “schema”")
      }
      file = added.isEmpty ? nil : try Self.stating(added, in: path)
      if let reader, let known = configuration.migratedBy, known != reader {
        notes.append(
          "according to \(path), \(known.name) migrates the stores; if that is wrong, change its “migratedBy”")
      }
      if !patterns.isEmpty {
        notes.append("\(path): its “exclude” does not exclude the models of dependencies; add \(list) to it")
      }
    } else {
      let keys =
        (patterns.isEmpty ? [] : ["  \"exclude\": [\(list)]"])
        + (reader == .modelctl ? [Self.key(.modelctl)] : [])
        + (export.map { [Self.key(ofExport: $0, from: top ?? folder)] } ?? [])
      let path = SetupFolder(folder: folder, top: top).path(CheckConfiguration.fileName)
      let content = "{\n\(keys.joined(separator: ",\n"))\n}\n"
      file = keys.isEmpty ? nil : SetupFile(path: path, content: content, state: .new, advice: nil)
      if !patterns.isEmpty {
        notes.append("\(NameList.text(foreign.map(\.0))): a dependency, so it is excluded")
      }
    }
    let isElsewhere = export.map { top != nil && Self.relative($0, from: root).hasPrefix("../") } ?? false
    if let export, isElsewhere { notes.append("\(export) is outside of the repository, so a clone lacks it") }
    self.notes = notes
  }

  private static func key(_ reader: MigrationReader) -> String { "  \"migratedBy\": \"\(reader.rawValue)\"" }

  private static func key(ofExport path: String, from folder: String) -> String {
    "  \"cloudKit\": { \"schema\": \(JSONStoreWriter.quoted(relative(path, from: folder))) }"
  }

  private static func relative(_ path: String, from folder: String) -> String {
    AbsolutePath.relative(
      AbsolutePath.components(path), from: AbsolutePath.components(folder.isEmpty ? "." : folder))
  }

  private static func hasContainers(_ path: String) throws -> Bool {
    try JSONReader.read(fileAt: path).object()["cloudKit"] != nil
  }

  /// An existing configuration with keys added.
  private static func stating(_ keys: [String], in path: String) throws -> SetupFile? {
    let bytes = try FileBytes.read(path)
    let isEmpty = try JSONReader.read(Array(bytes), file: path).object().members.isEmpty
    let text = String(decoding: bytes, as: UTF8.self)
    guard let brace = text.firstIndex(of: "{") else { return nil }
    let rest = text[text.index(after: brace)...]
    let content = "\(text[...brace])\n\(keys.joined(separator: ",\n"))\(isEmpty ? "\n" : ",")\(rest)"
    return SetupFile(path: path, content: content, state: .changed, advice: nil, previous: text)
  }

  /// The folder of a dependency in a path; nil for the project's own paths, and for names with special characters of
  /// patterns or JSON.
  private static func foreignFolder(of path: String, below top: String) -> String? {
    let components = BundlePath.components(path)
    let base = BundlePath.components(top)
    guard components.starts(with: base) else { return nil }
    let rest = components.dropFirst(base.count)
    guard let position = rest.firstIndex(where: foreignFolders.contains) else { return nil }
    let folder = rest[...position].joined(separator: "/")
    return folder.contains(where: { "*\"\\".contains($0) || $0.isNewline }) ? nil : folder
  }
}
