public import Foundation
public import ModelDescription

/// A new version, a copy of a bundle's current version; ``write()`` writes it.
public struct NewModelVersion: Sendable {
  /// The original bytes of the copied version, which was edited after its release.
  public struct Restoration: Sendable {
    /// The revision that has the bytes.
    public var revision: String
    /// Its file's bytes in that revision.
    public var contents: Data
    /// The renaming identifiers of elements that were renamed since, by their present names.
    public var renames: [ModelElement: String]

    /// Makes a restoration.
    public init(revision: String, contents: Data, renames: [ModelElement: String] = [:]) {
      (self.revision, self.contents, self.renames) = (revision, contents, renames)
    }
  }

  /// The bundle.
  public let bundle: ModelBundle
  /// The version that is copied: the current one.
  public let previous: ModelVersion
  /// The new version's name.
  public let name: String
  /// The renaming identifiers that are added to its elements.
  public let identifiers: [ContentsEditor.GivenIdentifier]
  /// The original bytes of the copied version; nil to leave it unchanged.
  public let restoration: Restoration?
  /// True if the version becomes the current version.
  public let isCurrent: Bool
  /// The files of the new version's folder.
  let files: [String: Data]

  /// Plans a version.
  ///
  /// - Parameters:
  ///   - bundle: the bundle; a single `.xcdatamodel` becomes a bundle, as by Xcode's Add Model Version.
  ///   - name: the new version's name (default: the next name in the bundle's pattern).
  ///   - addsIdentifiers: whether elements without a renaming identifier get their own name as one. If not, the copy
  ///     is the same byte for byte, except for the renames of the restoration.
  public static func plan(
    of bundle: ModelBundle, named name: String? = nil, addsIdentifiers: Bool = false, restoration: Restoration? = nil
  ) throws(NewVersionError) -> NewModelVersion {
    guard bundle.form == .versioned || bundle.form == .single else { throw .compiled(bundle: bundle.path) }
    let previous: ModelVersion
    do throws(ModelFileError) {
      previous = try bundle.currentVersion()
    } catch {
      throw .model(error)
    }
    let name = try Self.name(name, in: bundle, after: previous.name)
    var files = try Self.files(in: previous.path)
    var identifiers: [ContentsEditor.GivenIdentifier] = []
    let file = BundlePath.lastComponent(previous.filePath)
    let data: Data
    do throws(ModelFileError) {
      data = try FileBytes.read(previous.filePath)
    } catch {
      throw .model(error)
    }
    if let restoration, restoration.contents == data {
      throw .notEdited(path: previous.filePath, revision: restoration.revision)
    }
    let renames = restoration?.renames ?? [:]
    if addsIdentifiers || !renames.isEmpty {
      guard previous.form == .contents else { throw .archive(path: previous.filePath) }
      do throws(ModelFileError) {
        let edited = try ContentsEditor.addingIdentifiers(
          to: data, path: previous.filePath, renames: renames, givesOwnNames: addsIdentifiers)
        files[file] = edited.data
        identifiers = edited.given
      } catch {
        throw .model(error)
      }
    } else {
      do throws(ModelFileError) {
        if previous.form == .contents { _ = try previous.load() }
      } catch {
        throw .model(error)
      }
      files[file] = data
    }
    return NewModelVersion(
      bundle: bundle, previous: previous, name: name, identifiers: identifiers, restoration: restoration,
      isCurrent: true, files: files)
  }

  /// Plans a missing version: stores have it, but the bundle does not.
  ///
  /// - Parameters:
  ///   - contents: the text of its `contents` file.
  ///   - version: the version that differs least from it; the current version is unchanged.
  ///   - name: its name (default: a name that precedes the version that differs least).
  ///   - identifiers: the version identifiers of its model; a suitable identifier becomes its name.
  public static func plan(
    recovering contents: Data, like version: ModelVersion, in bundle: ModelBundle, named name: String? = nil,
    orAfter identifiers: [String] = []
  ) throws(NewVersionError) -> NewModelVersion {
    guard bundle.form == .versioned else { throw .compiled(bundle: bundle.path) }
    guard version.form == .contents else { throw .archive(path: version.filePath) }
    let name = try Self.name(
      name ?? VersionName.before(version.name, wanted: identifiers, in: bundle), in: bundle, after: version.name)
    var files = try Self.files(in: version.path)
    files[BundlePath.lastComponent(version.filePath)] = contents
    return NewModelVersion(
      bundle: bundle, previous: version, name: name, identifiers: [], restoration: nil, isCurrent: false, files: files)
  }

  /// The path of the bundle that will contain the version.
  public var bundlePath: String { bundle.form == .single ? bundle.path + "d" : bundle.path }

  /// The path of the version's folder.
  public var path: String { BundlePath.joined(bundlePath, "\(name).xcdatamodel") }

  /// Writes the version atomically.
  ///
  /// - Throws: ``NewVersionError``; then the bundle is as it was.
  public func write() throws(NewVersionError) { try VersionWriter(self).write() }

  private static func name(_ wanted: String?, in bundle: ModelBundle, after previous: String) throws(NewVersionError)
    -> String
  {
    let names = bundle.versions.map(\.name)
    guard let wanted else { return VersionName.next(after: previous, among: names) }
    let name = BundlePath.pathExtension(wanted) == "xcdatamodel" ? BundlePath.stem(wanted) : wanted
    if let reason = VersionName.objection(to: wanted) ?? VersionName.objection(to: name) {
      throw .badName(wanted, reason: reason)
    }
    if let taken = names.first(where: { $0.lowercased() == name.lowercased() }) {
      throw .exists(name: taken, bundle: bundle.path)
    }
    return name
  }

  /// The plain files of a version's folder beside its model.
  private static func files(in folder: String) throws(NewVersionError) -> [String: Data] {
    var files: [String: Data] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where !name.hasPrefix(".") {
      let path = BundlePath.joined(folder, name)
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      guard attributes?[.type] as? FileAttributeType == .typeRegular,
        (attributes?[.size] as? NSNumber)?.intValue ?? 0 <= FileBytes.limit
      else { continue }
      do {
        files[name] = try FileBytes.whole(path)
      } catch {
        throw .model(.unreadable(path: path, reason: ModelFileError.readingFailed))
      }
    }
    return files
  }
}

/// The reason why a new version could not be made; the bundle is unchanged.
public enum NewVersionError: Error, Hashable, Sendable {
  /// The name is not valid for a version.
  case badName(String, reason: String)
  /// The bundle has a version of this name.
  case exists(name: String, bundle: String)
  /// The bundle is compiled by Xcode and cannot be edited.
  case compiled(bundle: String)
  /// Identifiers cannot be added to the editor's old archive.
  case archive(path: String)
  /// The path of the bundle that a single model becomes is taken.
  case inTheWay(path: String)
  /// The version is unchanged since the revision.
  case notEdited(path: String, revision: String)
  /// The revision does not have this version.
  case notInRevision(path: String, revision: String)
  /// A model cannot be read.
  case model(ModelFileError)
  /// A file cannot be written.
  case unwritable(path: String, reason: String)
}

extension NewVersionError: AdvisedError {
  /// The bundle or file; nil if the cause names it.
  public var place: String? {
    switch self {
    case .badName: nil
    case .exists(_, let path), .compiled(let path), .archive(let path), .inTheWay(let path), .notEdited(let path, _),
      .notInRevision(let path, _), .unwritable(let path, _):
      path
    case .model(let error): error.place
    }
  }

  /// The cause as a sentence.
  public var cause: String { words.cause }

  /// The remedy; nil if the cause implies it.
  public var advice: Advice? { words.advice }

  private var words: ErrorWords {
    switch self {
    case .badName(let name, let reason):
      .init("“\(name)” is not a valid version name: \(reason)", "choose another name, or leave it out")
    case .exists(let name, _):
      .init("the version “\(name)” \(CommonWords.exists)", "choose another name, or leave it out")
    case .compiled:
      .init(
        "this is a compiled bundle",
        "name the .xcdatamodeld that it was built from: \(option: "--model", "PATH")")
    case .archive:
      .init(
        "this is the archive of an editor older than XML; it can be copied but not edited",
        "save the model in a newer Xcode first, or leave out the identifiers: \(option: "--renaming-identifiers")")
    case .inTheWay(let path):
      .init(
        "\(CommonWords.exists), and the model becomes a bundle at this path",
        "move it, or name it as the bundle: \(option: "--model", path)")
    case .notEdited(_, let revision):
      .init(
        "unchanged since \(revision), so there is nothing to restore",
        "omit the restoration: \(option: "--restore")")
    case .notInRevision(let path, let revision):
      .init(
        "not in \(revision)",
        "name the revision that released it, which the history lists: \(run: "git", "log", "--all", "--", path)")
    case .model(let error): error.words
    case .unwritable(_, let reason): .init("cannot be written: \(reason); nothing was changed")
    }
  }
}

/// Writes a new version: everything is written under a hidden name first, then put in place by renaming, and taken back
/// when a step fails.
struct VersionWriter {
  let version: NewModelVersion
  /// The final path of the version's folder, or of the bundle.
  private let place: String
  /// The hidden path while it is incomplete.
  private let draft: String

  init(_ version: NewModelVersion) {
    self.version = version
    place = version.bundle.form == .single ? version.bundlePath : version.path
    draft = PartialFile.newName(of: place)
  }

  func write() throws(NewVersionError) {
    let folder = BundlePath.parent(place)
    let lock = FolderLock(folder)
    guard lock.holder != .another else {
      throw .unwritable(path: version.bundle.path, reason: "another program has locked \(folder); try again")
    }
    defer { withExtendedLifetime(lock) {} }
    if lock.holder == .this { removeLeftovers(in: folder) }
    var undo: [() throws -> Void] = [{ try FileManager.default.removeItem(atPath: draft) }]
    do {
      try version.bundle.form == .single ? convert(&undo) : extend(&undo)
    } catch {
      for step in undo.reversed() { try? step() }
      throw (error as? NewVersionError)
        ?? .unwritable(path: version.bundle.path, reason: CommonWords.cause(of: error))
    }
  }

  /// Removes what killed programs left of this version or another one.
  private func removeLeftovers(in folder: String) {
    PartialFile.leftovers(of: BundlePath.joined(folder, CurrentVersionFile.name)).forEach { unlink($0) }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let parts = name.split(separator: ".")
      guard name.hasPrefix("."), parts.count > 2, ["xcdatamodel", "xcdatamodeld"].contains(parts[parts.count - 3])
      else { continue }
      let place = BundlePath.joined(folder, parts.dropLast(2).joined(separator: "."))
      for leftover in PartialFile.leftovers(of: place) { try? FileManager.default.removeItem(atPath: leftover) }
    }
  }

  private func extend(_ undo: inout [() throws -> Void]) throws {
    guard !FileManager.default.fileExists(atPath: version.path) else {
      throw NewVersionError.exists(name: version.name, bundle: version.bundle.path)
    }
    try writeFiles(to: draft)
    try FileManager.default.moveItem(atPath: draft, toPath: version.path)
    undo.append { try FileManager.default.removeItem(atPath: version.path) }
    try restore(in: version.previous.filePath, &undo)
    if version.isCurrent { try writeCurrent(in: version.bundle.path) }
  }

  /// Makes a bundle of a single model: the model moves in beside the new version.
  private func convert(_ undo: inout [() throws -> Void]) throws {
    let single = version.bundle.path
    guard !FileManager.default.fileExists(atPath: version.bundlePath) else {
      throw NewVersionError.inTheWay(path: version.bundlePath)
    }
    try writeFiles(to: BundlePath.joined(draft, "\(version.name).xcdatamodel"))
    try writeCurrent(in: draft)
    try restore(in: version.previous.filePath, &undo)
    let inside = BundlePath.joined(draft, BundlePath.lastComponent(single))
    try FileManager.default.moveItem(atPath: single, toPath: inside)
    undo.append { try FileManager.default.moveItem(atPath: inside, toPath: single) }
    try FileManager.default.moveItem(atPath: draft, toPath: version.bundlePath)
  }

  private func writeFiles(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, data) in version.files {
      try data.write(to: URL(fileURLWithPath: BundlePath.joined(folder, name)))
    }
  }

  private func writeCurrent(in folder: String) throws {
    let data = Data(CurrentVersionFile.text(version: version.name).utf8)
    try FileReplacement.replace(BundlePath.joined(folder, CurrentVersionFile.name), with: data)
  }

  private func restore(in path: String, _ undo: inout [() throws -> Void]) throws {
    guard let restoration = version.restoration else { return }
    let edited = try FileBytes.read(path)
    undo.append { try FileReplacement.write(edited, to: path) }
    try FileReplacement.write(restoration.contents, to: path)
  }
}
