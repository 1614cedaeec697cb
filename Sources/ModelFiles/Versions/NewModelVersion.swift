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
  ///   - restoration: what the copied version gets back.
  /// - Returns: the version.
  /// - Throws: ``NewVersionError``.
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
  ///   - bundle: the bundle.
  ///   - name: its name; otherwise one by which it comes before the version that differs least.
  ///   - identifiers: the version identifiers of its model, of which one that fits becomes its name.
  /// - Returns: the version.
  /// - Throws: ``NewVersionError``.
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
        files[name] = try Data(contentsOf: URL(fileURLWithPath: path))
      } catch {
        throw .model(.unreadable(path: path, reason: "reading failed; check its permissions"))
      }
    }
    return files
  }
}
