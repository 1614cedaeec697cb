import Foundation
import ModelKit

/// A model to write in a different format, with the other content of its file.
struct ExportSource {
  /// The name of the model in reports.
  let name: String
  let document: ContentsDocument
  /// The parts of the file that modelctl does not understand.
  let notes: [ModelNote]
  let versionName: String?
  /// The hashes that Apple's tools recorded, by entity, or nil if there is no record.
  let recorded: [String: Data]?
  /// The path of the store that contains the model, or nil for every other model.
  var storePath: String?
  /// True for a compiled model, whose hashes may depend on parts that modelctl does not understand.
  var isCompiled = false

  /// Compares the hashes with the record.
  ///
  /// If there is no record, modelctl must have read the complete model.
  func check(_ hashes: VersionHashes) throws(CommandError) {
    guard let recorded else {
      guard isCompiled, let note = notes.first else { return }
      throw .uncertainHashes(model: name, reason: note.sentence)
    }
    let names = Set(recorded.keys).union(hashes.entities.keys)
      .filter { recorded[$0].map(Array.init) != hashes.entities[$0]?.bytes }
    guard names.isEmpty else { throw .otherHashes(model: name, entities: names.sorted()) }
  }
}

extension ModelOptions {
  /// Compares the hashes of a model with the recorded hashes.
  func checkHashes(_ argument: String?, _ hierarchy: EntityHierarchy) throws {
    try resolveDocument(argument).check(VersionHashes(of: hierarchy))
  }

  /// Compares the hashes, and prints a warning if they may be different.
  func warnOfOtherHashes(_ argument: String?, _ hierarchy: EntityHierarchy, _ consequence: String) throws {
    do {
      try checkHashes(argument, hierarchy)
    } catch let error as CommandError {
      guard let doubt = error.doubt else { throw error }
      Console.warn("\(doubt); \(consequence)")
    }
  }

  /// The given model, or the current version if there is no argument, in a form that can be written.
  func resolveDocument(_ argument: String?) throws -> ExportSource {
    let source: ModelSource
    if let union = try ArgumentUnion(argument, workspace) {
      let (name, file) = try union.merged()
      return ExportSource(
        name: name, document: ContentsDocument(file.model), notes: file.notes, versionName: nil, recorded: nil)
    }
    do {
      source = try workspace.source(argument)
    } catch {
      // For a store, or for an argument that names nothing, the errors are the same as in other commands.
      let (name, file) = try workspace.model(argument)
      return ExportSource(
        name: name, document: ContentsDocument(file.model.editable()), notes: file.notes, versionName: nil,
        recorded: nil, storePath: file.isOfStore ? argument : nil)
    }
    let (document, notes) = try source.document()
    guard case .version(let version) = source else {
      let isCompiled: Bool =
        switch source {
        case .file(_, let form): form == .compiled
        case .revision(let file): BundlePath.pathExtension(file.path) == "mom"
        case .version: false
        }
      return ExportSource(
        name: source.name, document: document, notes: notes, versionName: nil, recorded: nil, isCompiled: isCompiled)
    }
    let isCompiled = version.form == .compiled && BundlePath.pathExtension(BundlePath.parent(version.path)) == "momd"
    let info = isCompiled ? try ModelBundle(at: BundlePath.parent(version.path)).versionInfo : nil
    return ExportSource(
      name: version.name, document: document, notes: notes, versionName: version.name,
      recorded: info?.hashes[version.name], isCompiled: version.form == .compiled)
  }
}
