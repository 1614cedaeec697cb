public import Foundation
public import ModelDescription
public import VersionHashing

/// A model to be written as a version of a bundle, as a single model or as a `contents` file; nothing has been written
/// until ``write()``.
///
/// What would be written is read back first: its hashes are those of the model, or there is no export.
public struct ModelExport: Sendable {
  /// What is made.
  public enum Form: Hashable, Sendable {
    /// A version in an `.xcdatamodeld` that is there.
    case version(bundle: String)
    /// An `.xcdatamodeld` with one version.
    case bundle(String)
    /// A single `.xcdatamodel`.
    case single
    /// A `contents` file by itself.
    case file
  }

  /// What is made.
  public let form: Form
  /// The version's name; nil for a file by itself.
  public let versionName: String?
  /// The path of the version's folder, or of the file.
  public let path: String
  /// True when the bundle says afterwards that this version is the current one.
  public let isCurrent: Bool
  /// The hashes that the model and the exported version have.
  public let hashes: VersionHashes
  /// What the model says and a `contents` file cannot, and the comments of a file that is written anew.
  public let losses: [ExportLoss]
  /// The bytes of the `contents` file.
  public let contents: Data
  /// The version to write into `.xccurrentversion`; nil to leave it as it is.
  let writtenCurrentName: String?

  /// Plans the export of a model, such as one made in code or read from a store.
  ///
  /// - Parameters:
  ///   - model: the model.
  ///   - path: an `.xcdatamodeld`, made when it is missing; an `.xcdatamodel`, in or outside a bundle; or a file.
  ///   - version: the name of the version in a bundle; that of the bundle itself for a new one.
  ///   - makesCurrent: whether a version in a bundle that is there becomes the current one.
  /// - Throws: ``ModelExportError``.
  public init(
    _ model: ManagedObjectModel, to path: String, version: String? = nil, makesCurrent: Bool = false
  ) throws(ModelExportError) {
    try self.init(ContentsDocument(model), to: path, version: version, makesCurrent: makesCurrent)
  }

  /// Plans the export of what was read from a `contents` file, with what it says beyond its model.
  ///
  /// Where the model is as it was read from a file in UTF-8, the file's own bytes are written.
  ///
  /// - Parameters:
  ///   - document: the file.
  ///   - path: as for a model.
  ///   - version: as for a model.
  ///   - makesCurrent: as for a model.
  /// - Throws: ``ModelExportError``.
  public init(
    _ document: ContentsDocument, to path: String, version: String? = nil, makesCurrent: Bool = false
  ) throws(ModelExportError) {
    let place = try ExportPlace.resolve(path, version: version, makesCurrent: makesCurrent)
    form = place.form
    versionName = place.versionName
    self.path = place.path
    isCurrent = place.isCurrent
    writtenCurrentName = place.writtenCurrentName
    contents = document.unchangedBytes ?? document.data
    let (hashes, losses) = try Self.checked(contents, of: document.model, place.path)
    let lost = document.unchangedBytes == nil ? document.lostCommentCount : 0
    self.hashes = hashes
    self.losses = losses + (lost > 0 ? [ExportLoss(element: .model, what: "the comments of its file (\(lost))")] : [])
  }

  /// Writes the export, all of it or nothing.
  ///
  /// - Throws: ``ModelExportError``; then everything is as it was.
  public func write() throws(ModelExportError) { try ExportWriter(self).write() }

  /// Reads what would be written.
  private static func checked(
    _ data: Data, of model: ManagedObjectModel, _ path: String
  ) throws(ModelExportError) -> (VersionHashes, [ExportLoss]) {
    let hashes: VersionHashes
    do throws(ModelStructureError) {
      hashes = try VersionHashes(of: model)
    } catch {
      throw .structure(error)
    }
    let written: ManagedObjectModel
    do throws(ModelFileError) {
      written = try ContentsReader.read(data, path: path).model
    } catch {
      throw .model(error)
    }
    let others = (try? VersionHashes(of: written))?.entities ?? [:]
    let names = Set(hashes.entities.keys).union(others.keys).filter { hashes.entities[$0] != others[$0] }
    guard names.isEmpty else { throw .otherHashes(entities: names.sorted(), losses: ExportLoss.losses(model, written)) }
    return (hashes, ExportLoss.losses(model, written))
  }
}
