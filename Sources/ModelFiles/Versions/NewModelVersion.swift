public import Foundation
public import ModelDescription

/// A version to be made, a copy of a bundle's current one; nothing is written until ``write()``.
public struct NewModelVersion: Sendable {
  /// What the copied version gets back, having been edited after it was shipped.
  public struct Restoration: Sendable {
    /// The revision its bytes come from.
    public var revision: String
    /// Its file's bytes in that revision.
    public var contents: Data
    /// The identifiers of what was renamed since, by what it is called now.
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
  /// The renaming identifiers that its elements get.
  public let identifiers: [ContentsEditor.GivenIdentifier]
  /// What the copied version gets back; nil when it stays.
  public let restoration: Restoration?
  /// True when the version becomes the current one.
  public let isCurrent: Bool
  /// The files of the new version's folder.
  let files: [String: Data]

  /// Plans a version.
  ///
  /// - Parameters:
  ///   - bundle: the bundle; a single `.xcdatamodel` becomes a bundle, as by Xcode's Add Model Version.
  ///   - name: the new version's name; the next in the bundle's pattern otherwise.
  ///   - addsIdentifiers: whether elements without a renaming identifier get their own name as one. Otherwise the copy
  ///     is the same byte for byte, but for what the restoration says was renamed.
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

  /// Plans a version that is missing: stores have it, and no file does.
  ///
  /// - Parameters:
  ///   - contents: the text of its `contents` file.
  ///   - version: the version that differs least from it; the current one stays current.
  ///   - name: its name; otherwise one by which it comes before the version that differs least.
  ///   - identifiers: the version identifiers of its model, of which one that fits becomes its name.
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

  /// The path of the bundle that holds the version in the end.
  public var bundlePath: String { bundle.form == .single ? bundle.path + "d" : bundle.path }

  /// The path of the version's folder.
  public var path: String { BundlePath.joined(bundlePath, "\(name).xcdatamodel") }

  /// Writes the version, all of it or nothing.
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
        throw .model(.unreadable(path: path, reason: "reading failed; check its permissions"))
      }
    }
    return files
  }
}

/// Why a new version could not be made; the bundle is as it was.
public enum NewVersionError: Error, Hashable, Sendable {
  /// The name can be no version's.
  case badName(String, reason: String)
  /// The bundle has a version of this name.
  case exists(name: String, bundle: String)
  /// The bundle is what Xcode builds, not what it edits.
  case compiled(bundle: String)
  /// Identifiers cannot be added to the editor's old archive.
  case archive(path: String)
  /// There is something in the way of the bundle that a single model becomes.
  case inTheWay(path: String)
  /// The version is what it was in the revision.
  case notEdited(path: String, revision: String)
  /// The revision has no such version.
  case notInRevision(path: String, revision: String)
  /// A model cannot be read.
  case model(ModelFileError)
  /// A file cannot be written.
  case unwritable(path: String, reason: String)
}

extension NewVersionError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .badName(let name, let reason):
      "“\(name)” can be no version's name: \(reason); choose another, or leave it out"
    case .exists(let name, let bundle): "\(bundle): has a version “\(name)”; choose another name, or leave it out"
    case .compiled(let bundle):
      "\(bundle): a compiled bundle; name the .xcdatamodeld it was built from with --model PATH"
    case .archive(let path):
      "\(path): the editor's archive from before XML, which can be copied and not edited; save the model in a newer "
        + "Xcode first, or leave --renaming-identifiers out"
    case .inTheWay(let path):
      "\(path): is in the way of the bundle that the model becomes; move it, or name it with --model PATH"
    case .notEdited(let path, let revision):
      "\(path): is what it was in \(revision), so there is nothing to restore; leave --restore out"
    case .notInRevision(let path, let revision):
      "\(path): not in \(revision); name the revision that shipped it, and find it with: git log --all -- PATH"
    case .model(let error): "\(error)"
    case .unwritable(let path, let reason): "\(path): cannot be written: \(reason); nothing was changed"
    }
  }
}

/// Writes a new version: everything is written under a hidden name first, then put in place by renaming, and taken back
/// when a step fails.
struct VersionWriter {
  let version: NewModelVersion
  /// What gets its name when it is whole: the version's folder, or the bundle.
  private let place: String
  /// The same under its hidden name.
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
        ?? .unwritable(path: version.bundle.path, reason: (error as NSError).localizedDescription)
    }
  }

  /// Removes what killed programs left of this version or another one.
  private func removeLeftovers(in folder: String) {
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
