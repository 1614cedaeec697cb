public import Foundation
public import ModelDescription
public import VersionHashing

/// A model to write as a version of a bundle, as a single model or as a `contents` file; ``write()`` writes it.
///
/// The text is read back first: an export is possible only if its hashes are those of the model.
public struct ModelExport: Sendable {
  /// The kind of the export.
  public enum Form: Hashable, Sendable {
    /// A version in an `.xcdatamodeld` that is there.
    case version(bundle: String)
    /// An `.xcdatamodeld` with a single version.
    case bundle(String)
    /// A single `.xcdatamodel`.
    case single
    /// A `contents` file by itself.
    case file
  }

  /// The kind of the export.
  public let form: Form
  /// The version's name; nil for a file by itself.
  public let versionName: String?
  /// The path of the version's folder, or of the file.
  public let path: String
  /// True if this version becomes the current version of the bundle.
  public let isCurrent: Bool
  /// The hashes that the model and the exported version have.
  public let hashes: VersionHashes
  /// The parts of the model that a `contents` file cannot hold, and the comments of a rewritten file.
  public let losses: [ExportLoss]
  /// The bytes of the `contents` file.
  public let contents: Data
  /// The version to write into `.xccurrentversion`; nil to leave it as it is.
  let writtenCurrentName: String?

  /// Plans the export of a model, such as one made in code or read from a store.
  ///
  /// - Parameters:
  ///   - version: the name of the version in a bundle; that of the bundle itself for a new one.
  ///   - makesCurrent: whether a version in a bundle that is there becomes the current one.
  public init(
    _ model: ManagedObjectModel, to path: String, version: String? = nil, makesCurrent: Bool = false
  ) throws(ModelExportError) {
    try self.init(ContentsDocument(model), to: path, version: version, makesCurrent: makesCurrent)
  }

  /// Plans the export of a document read from a `contents` file, with its other parts.
  ///
  /// If the model is unchanged since it was read from a file in UTF-8, the file's own bytes are written.
  public init(
    _ document: ContentsDocument, to path: String, version: String? = nil, makesCurrent: Bool = false
  ) throws(ModelExportError) {
    let place = try ExportDestination.resolve(path, version: version, makesCurrent: makesCurrent)
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

  /// Writes the export atomically.
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

/// A part of a model, or of its file, that an exported `contents` file does not contain.
public struct ExportLoss: Hashable, Sendable {
  /// The element of the model.
  public let element: ModelElement
  /// The lost part, such as “the default value”.
  public let what: String

  /// Compares a model with what was read back of it.
  static func losses(_ model: ManagedObjectModel, _ written: ManagedObjectModel) -> [ExportLoss] {
    guard model != written else { return [] }
    var losses: [ExportLoss] = []
    func compare<Value: Equatable>(_ original: Value, _ copy: Value, _ element: ModelElement, _ what: String) {
      if original != copy { losses.append(ExportLoss(element: element, what: what)) }
    }
    compare(model.versionIdentifiers, written.versionIdentifiers, .model, "every version identifier but the first")
    compare(model.composites, written.composites, .model, "a part of the composite types")
    compare(model.configurations, written.configurations, .model, "a part of the configurations")
    compare(model.fetchRequests, written.fetchRequests, .model, "a part of the fetch requests")
    let entities = Dictionary(written.entities.map { ($0.name, $0) }) { first, _ in first }
    for entity in model.entities where entities[entity.name] != entity {
      let element = ModelElement.entity(entity.name)
      guard let other = entities[entity.name] else {
        losses.append(ExportLoss(element: element, what: "the entity, whose name XML cannot hold"))
        continue
      }
      let before = losses.count
      losses += attributes(of: entity, other)
      compare(entity.relationships, other.relationships, element, "a part of its relationships")
      compare(entity.fetchedProperties, other.fetchedProperties, element, "a part of its fetched properties")
      compare(entity.fetchIndexes, other.fetchIndexes, element, "a part of its indexes")
      if losses.count == before { losses.append(ExportLoss(element: element, what: "a part of its settings")) }
    }
    return losses
  }

  private static func attributes(of entity: EntityDescription, _ other: EntityDescription) -> [ExportLoss] {
    let attributes = Dictionary(other.attributes.map { ($0.name, $0) }) { first, _ in first }
    return entity.attributes.compactMap { attribute in
      guard let counterpart = attributes[attribute.name] else {
        return loss(entity, attribute, "the attribute, whose name XML cannot hold")
      }
      if attribute == counterpart { return nil }
      if attribute.defaultValue != counterpart.defaultValue { return loss(entity, attribute, "the default value") }
      if attribute.validation != counterpart.validation { return loss(entity, attribute, "the limits of its values") }
      if attribute.derivation != counterpart.derivation { return loss(entity, attribute, "a part of its derivation") }
      if attribute.elements != counterpart.elements { return loss(entity, attribute, "its elements") }
      return loss(entity, attribute, "a part of its settings")
    }
  }

  private static func loss(_ entity: EntityDescription, _ attribute: AttributeDescription, _ what: String) -> ExportLoss
  {
    ExportLoss(element: .property(entity: entity.name, name: attribute.name), what: what)
  }
}

extension ExportLoss: CustomStringConvertible {
  /// The element and what is lost of it.
  public var description: String { "\(element): \(what)" }
}

/// The reason why a model could not be exported; every file is unchanged.
public enum ModelExportError: Error, Hashable, Sendable {
  /// The path is taken.
  case exists(path: String)
  /// The bundle has a version of this name.
  case versionExists(name: String, bundle: String)
  /// The bundle exists, and the version to add lacks a name.
  case unnamed(bundle: String)
  /// The name is not valid for a version.
  case badName(String, reason: String)
  /// The path names a version, and an option names another one.
  case twoNames(path: String)
  /// A version was named, and the path is not that of a bundle.
  case noBundle(path: String)
  /// The path is that of a compiled model.
  case compiled(path: String)
  /// The path is that of a folder.
  case folder(path: String)
  /// The folder of the path does not exist.
  case noFolder(path: String, folder: String)
  /// The path is inside a bundle, but not where its versions are.
  case insideBundle(path: String, bundle: String)
  /// The model's inheritance is broken.
  case structure(ModelStructureError)
  /// The written model would have other hashes.
  case otherHashes(entities: [String], losses: [ExportLoss])
  /// The written model would have other hashes than the model that a store contains.
  case otherHashesOfStore(path: String, entities: [String], losses: [ExportLoss])
  /// A model cannot be read.
  case model(ModelFileError)
  /// A file cannot be written.
  case unwritable(path: String, reason: String)
}

extension ModelExportError: AdvisedError {
  /// The file, bundle or store; nil if the cause names it.
  public var place: String? {
    switch self {
    case .exists(let path), .versionExists(_, let path), .unnamed(let path), .twoNames(let path), .noBundle(let path),
      .compiled(let path), .folder(let path), .noFolder(let path, _), .insideBundle(let path, _),
      .otherHashesOfStore(let path, _, _), .unwritable(let path, _):
      path
    case .model(let error): error.place
    case .badName, .structure, .otherHashes: nil
    }
  }

  /// The cause as a sentence.
  public var cause: String { words.cause }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? { words.advice }

  private var words: ErrorWords {
    switch self {
    case .exists: .init(CommonWords.exists, "choose another path, or move the existing file away")
    case .versionExists(let name, _):
      .init("the version “\(name)” \(CommonWords.exists)", "choose another name: \(option: "--name", "NAME")")
    case .unnamed: .init(CommonWords.exists, "name the version to add: \(option: "--name", "NAME")")
    case .badName(let name, let reason):
      .init("“\(name)” is not a valid version name: \(reason)", "choose another name: \(option: "--name", "NAME")")
    case .twoNames: .init("the path already names the version", "leave out the other name: \(option: "--name")")
    case .noBundle:
      .init(
        "only a bundle has named versions",
        "name an .xcdatamodeld, or leave out the version's name: \(option: "--name")")
    case .compiled: .init("only Xcode compiles models", "name an .xcdatamodeld, an .xcdatamodel or a file")
    case .folder(let path):
      .init("is a folder", "name the bundle or file to make in it, such as \(path)/Model.xcdatamodeld")
    case .noFolder(_, let folder): .init("the folder “\(folder)” does not exist", "create it first")
    case .insideBundle(_, let bundle):
      .init(
        "the path is inside \(bundle), where a model is not found",
        "name a path outside of it, or a version of an .xcdatamodeld, such as Model.xcdatamodeld/v2.xcdatamodel")
    case .structure(let error): .init("the model cannot be exported: \(error)")
    case .otherHashes(let entities, let losses):
      .init(
        Self.otherHashes(entities, losses), "export the contents file that the model was made from, if you have it")
    case .otherHashesOfStore(let path, let entities, let losses):
      .init(
        Self.otherHashes(entities, losses),
        """
        use the store in place of a model, as an app with SwiftData has no contents file: \
        \(run: "modelctl", "show", Self.argument(path)); or compare it with an older store: \
        \(run: "modelctl", "diff", "OLD.store", Self.argument(path))
        """)
    case .model(let error): error.words
    case .unwritable(_, let reason): .init("cannot be written: \(reason); nothing was changed")
    }
  }

  private static func otherHashes(_ entities: [String], _ losses: [ExportLoss]) -> String {
    let names = NameList.text(entities)
    let start = "the exported model would have other version hashes for \(names), so no store would open"
    return losses.isEmpty
      ? start : "\(start): a contents file cannot hold \(NameList.text(losses.map { "\($0.element) (\($0.what))" }))"
  }

  private static func argument(_ path: String) -> String { path.hasPrefix("-") ? "./\(path)" : path }
}
