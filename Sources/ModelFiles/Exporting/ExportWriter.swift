import Foundation
public import ModelDescription

/// Writes an export: everything is written under a hidden name first, then put in place by renaming, and taken back when
/// a step fails.
struct ExportWriter {
  private let export: ModelExport
  private let draft: String

  init(_ export: ModelExport) {
    self.export = export
    let folder =
      switch export.form {
      case .version(let bundle): bundle
      case .bundle(let bundle): BundlePath.parent(bundle)
      case .single, .file: BundlePath.parent(export.path)
      }
    draft = BundlePath.joined(folder, ".modelctl-\(UUID().uuidString)")
  }

  func write() throws(ModelExportError) {
    var undo: [() throws -> Void] = [{ try FileManager.default.removeItem(atPath: draft) }]
    do {
      try put(&undo)
    } catch {
      for step in undo.reversed() { try? step() }
      throw .unwritable(path: export.path, reason: CommonWords.cause(of: error))
    }
  }

  private func put(_ undo: inout [() throws -> Void]) throws {
    switch export.form {
    case .file:
      try export.contents.write(to: URL(fileURLWithPath: draft), options: .withoutOverwriting)
      try FileManager.default.moveItem(atPath: draft, toPath: export.path)
    case .single:
      try writeVersion(to: draft)
      try FileManager.default.moveItem(atPath: draft, toPath: export.path)
    case .bundle(let bundle):
      try makeFolder(draft)
      try writeVersion(to: BundlePath.joined(draft, BundlePath.lastComponent(export.path)))
      try writeCurrent(in: draft)
      try FileManager.default.moveItem(atPath: draft, toPath: bundle)
    case .version(let bundle):
      try writeVersion(to: draft)
      try FileManager.default.moveItem(atPath: draft, toPath: export.path)
      undo.append { try FileManager.default.removeItem(atPath: export.path) }
      try writeCurrent(in: bundle)
    }
  }

  private func writeVersion(to folder: String) throws {
    try makeFolder(folder)
    let file = URL(fileURLWithPath: BundlePath.joined(folder, "contents"))
    try export.contents.write(to: file, options: .withoutOverwriting)
  }

  /// Makes a folder at a free path, so that no other process owns it.
  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  private func writeCurrent(in folder: String) throws {
    guard let name = export.writtenCurrentName else { return }
    let file = URL(fileURLWithPath: BundlePath.joined(folder, CurrentVersionFile.name))
    try Data(CurrentVersionFile.text(version: name).utf8).write(to: file, options: .atomic)
  }
}

/// The free destination of an export.
struct ExportDestination {
  let form: ModelExport.Form
  let versionName: String?
  let path: String
  let isCurrent: Bool
  let writtenCurrentName: String?

  /// Finds the meaning of a path, and checks that an export can be written there.
  static func resolve(_ path: String, version: String?, makesCurrent: Bool) throws(ModelExportError)
    -> ExportDestination
  {
    let trimmed = BundlePath.trimmed(path)
    let folder = BundlePath.parent(trimmed)
    switch BundlePath.pathExtension(trimmed).lowercased() {
    case "xcdatamodeld": return try resolve(bundle: trimmed, version, makesCurrent)
    case "xcdatamodel" where BundlePath.pathExtension(folder).lowercased() == "xcdatamodeld":
      let name = BundlePath.stem(trimmed)
      guard version == nil || version == name else { throw .twoNames(path: path) }
      return try resolve(bundle: folder, name, makesCurrent)
    case "xcdatamodel":
      guard version == nil else { throw .noBundle(path: path) }
      try checkSurroundings(of: trimmed)
      guard !exists(trimmed) else { throw .exists(path: trimmed) }
      return ExportDestination(.single, BundlePath.stem(trimmed), trimmed, isCurrent: true, nil)
    case "mom", "momd": throw .compiled(path: path)
    default:
      if BundlePath.lastComponent(trimmed) == "contents", BundlePath.pathExtension(folder).lowercased() == "xcdatamodel"
      {
        return try resolve(folder, version: version, makesCurrent: makesCurrent)
      }
      guard version == nil else { throw .noBundle(path: path) }
      try checkSurroundings(of: trimmed)
      guard !isFolder(trimmed) else { throw .folder(path: trimmed) }
      guard !exists(trimmed) else { throw .exists(path: trimmed) }
      return ExportDestination(.file, nil, trimmed, isCurrent: false, nil)
    }
  }

  private init(
    _ form: ModelExport.Form, _ versionName: String?, _ path: String, isCurrent: Bool, _ writtenCurrentName: String?
  ) {
    (self.form, self.versionName, self.path) = (form, versionName, path)
    (self.isCurrent, self.writtenCurrentName) = (isCurrent, writtenCurrentName)
  }

  private static func resolve(
    bundle path: String, _ version: String?, _ makesCurrent: Bool
  ) throws(ModelExportError) -> ExportDestination {
    try checkSurroundings(of: path)
    guard exists(path) else {
      let name = try Self.name(version ?? BundlePath.stem(path))
      return ExportDestination(
        .bundle(path), name, BundlePath.joined(path, "\(name).xcdatamodel"), isCurrent: true, name)
    }
    guard isFolder(path) else { throw .exists(path: path) }
    let bundle: ModelBundle
    do throws(ModelFileError) {
      bundle = try ModelBundle(at: path)
    } catch {
      throw .model(error)
    }
    guard let version else { throw .unnamed(bundle: path) }
    let name = try Self.name(version)
    let folder = BundlePath.joined(path, "\(name).xcdatamodel")
    if let taken = bundle.versions.map(\.name).first(where: { $0.lowercased() == name.lowercased() }) {
      throw .versionExists(name: taken, bundle: path)
    }
    guard !exists(folder) else { throw .exists(path: folder) }
    let saysCurrent = exists(BundlePath.joined(path, CurrentVersionFile.name))
    // A bundle of one version need not say which is current; one of two must.
    let written = makesCurrent ? name : saysCurrent ? nil : bundle.currentVersionName
    return ExportDestination(.version(bundle: path), name, folder, isCurrent: makesCurrent, written)
  }

  private static func name(_ wanted: String) throws(ModelExportError) -> String {
    let name = BundlePath.pathExtension(wanted) == "xcdatamodel" ? BundlePath.stem(wanted) : wanted
    if let reason = VersionName.objection(to: wanted) ?? VersionName.objection(to: name) {
      throw .badName(wanted, reason: reason)
    }
    return name
  }

  private static let bundleExtensions: Set<String> = ["xcdatamodeld", "xcdatamodel", "momd"]

  /// Checks that the folder exists, and that the path is not at a place of a bundle where no model is found.
  private static func checkSurroundings(of path: String) throws(ModelExportError) {
    let folder = BundlePath.parent(path)
    for name in BundlePath.components(RealPath.of(folder)).reversed()
    where bundleExtensions.contains(BundlePath.pathExtension(name).lowercased()) {
      throw .insideBundle(path: path, bundle: name)
    }
    guard isFolder(folder) else { throw .noFolder(path: path, folder: folder) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }

  /// True if the path exists, also as a dangling link.
  private static func exists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }
}

extension ModelSource {
  /// Reads the model, with the other parts of its file if that is a `contents` file.
  ///
  /// Other files do not record whether entities may be synchronised; they may, as in every model that Xcode makes.
  public func document() throws(ModelFileError) -> (document: ContentsDocument, notes: [ModelNote]) {
    let file = try load()
    if case .contents? = form { return (try ContentsDocument(try bytes(), path: file.path), file.notes) }
    return (ContentsDocument(file.model.editable()), file.notes)
  }

  /// The form of the file; nil if it must be read to find out.
  private var form: ModelVersion.Form? {
    switch self {
    case .version(let version): version.form
    case .file(_, let form): form
    case .revision(let file): BundlePath.lastComponent(file.path) == "contents" ? .contents : nil
    }
  }

  private func bytes() throws(ModelFileError) -> Data {
    switch self {
    case .version(let version): try version.bytes()
    case .file(let path, _): try FileBytes.read(path)
    case .revision(let file): try GitRepository(folder: file.folder).contents(of: file)
    }
  }
}

extension ManagedObjectModel {
  /// The model as Xcode writes it: entities may be synchronised unless an element says so, and no index is repeated.
  ///
  /// A compiled model repeats an index under its name, and in the forms that older versions of Xcode wrote.
  public func editable() -> ManagedObjectModel {
    let isSaid = entities.contains { entity in
      entity.isSyncable || entity.attributes.contains(where: \.isSyncable)
        || entity.relationships.contains(where: \.isSyncable)
    }
    var model = self
    for position in model.entities.indices {
      model.entities[position].removeRepeatedIndexes()
      if !isSaid { model.entities[position].isSyncable = true }
    }
    return model
  }
}
