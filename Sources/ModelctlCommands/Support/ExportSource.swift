import Foundation
import ModelKit

/// A model to write in another form, with what its file says beyond it.
struct ExportSource {
  /// How reports call it.
  let name: String
  let document: ContentsDocument
  /// What was read past.
  let notes: [ModelNote]
  let versionName: String?
  /// The hashes that Apple's tools recorded of it, by entity; nil when nothing records them.
  let recorded: [String: Data]?
  /// The path of the store whose own model it is, nil for every other model.
  var storePath: String?
  /// True for a compiled model: what was read past may be a part of its hashes.
  var isCompiled = false

  /// Holds hashes against those recorded; where none are, all of the model must have been read.
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
  /// Holds the hashes of a model against those that are recorded of it.
  func checkHashes(_ argument: String?, _ hierarchy: EntityHierarchy) throws {
    try resolveDocument(argument).check(VersionHashes(of: hierarchy))
  }

  /// The same where hashes that may be others are only a warning.
  func warnOfOtherHashes(_ argument: String?, _ hierarchy: EntityHierarchy, _ consequence: String) throws {
    do {
      try checkHashes(argument, hierarchy)
    } catch let error as CommandError {
      guard let doubt = error.doubt else { throw error }
      Console.warn("\(doubt); \(consequence)")
    }
  }

  /// The model that an argument names, or the current version when there is none, to be written.
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
      // A store, or an argument that names nothing, is resolved with the words of the other commands.
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
