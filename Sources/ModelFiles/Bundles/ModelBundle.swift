package import Foundation
package import ModelDescription

/// A bundle of model versions: `.xcdatamodeld`, a single `.xcdatamodel`, `.momd` or a single `.mom`.
///
/// ```swift
/// let bundle = try ModelBundle(at: "Orders.xcdatamodeld")
/// print(bundle.versions.map(\.name), try bundle.currentVersion().load().model.entities.count)
/// ```
///
/// ## Topics
///
/// ### Finding bundles
/// - ``init(at:)``
/// - ``discover(under:)``
/// - ``only(under:)``
/// - ``only(of:under:)``
/// - ``bundlePaths(under:)``
///
/// ### Versions
/// - ``versions``
/// - ``version(named:)``
/// - ``currentVersion()``
/// - ``currentVersionName``
/// - ``sequence``
///
/// ### The bundle itself
/// - ``path``
/// - ``name``
/// - ``form``
/// - ``versionInfo``
public struct ModelBundle: Hashable, Sendable {
  /// The form of a bundle.
  public enum Form: String, Hashable, Sendable, CaseIterable {
    case versioned = "xcdatamodeld"
    case single = "xcdatamodel"
    case compiled = "momd"
    case compiledSingle = "mom"

    /// True for a model that Xcode edits, false for a compiled model.
    public var isEditable: Bool { self == .versioned || self == .single }

    /// The form by the extension of a path; nil if it is not that of a bundle.
    package init?(ofPath path: String) { self.init(rawValue: BundlePath.pathExtension(path)) }
  }

  /// The bundle's path as it was given, without a slash at the end; of a link to a version in a bundle, the version's.
  public let path: String
  /// Its name, without the extension.
  public let name: String
  /// Its form.
  public let form: Form
  /// Its versions, oldest first: in the natural order of their names, or in the order of a lock file or of git.
  public private(set) var versions: [ModelVersion]
  private let versionsByName: [String: ModelVersion]
  /// The order of its versions, and the source of this order.
  public private(set) var sequence: VersionSequence
  /// The current version that the bundle names, even if it is missing, or its only version; nil if it has several
  /// versions and names none.
  public let currentVersionName: String?
  /// The version information of a compiled bundle.
  public let versionInfo: CompiledVersionInfo?

  /// Looks into a bundle; no model is read.
  ///
  /// - Throws: ``ModelFileError/notAModel(path:)`` for another extension, and what stops a bundle from being used: it
  ///   cannot be read, or contains no version.
  public init(at path: String) throws(ModelFileError) {
    let trimmed = BundleLink.version(of: path)
    guard let form = Form(rawValue: BundlePath.pathExtension(trimmed).lowercased()) else {
      throw .notAModel(path: path)
    }
    (self.path, self.form) = (trimmed, form)
    name = BundlePath.stem(trimmed)
    let reader = BundleReader(path: trimmed, name: name)
    let versions = try reader.versions(form)
    guard let first = versions.first else { throw .noVersions(bundle: trimmed) }
    versionInfo = form == .compiled ? try reader.versionInfo() : nil
    let written = form == .versioned ? try reader.currentVersionName() : versionInfo?.currentVersionName
    let current = written ?? (versions.count == 1 ? first.name : nil)
    currentVersionName = current
    sequence = VersionSequence(of: versions.map(\.name), currentName: current)
    self.versions = sequence.sorted(versions)
    versionsByName = Dictionary(self.versions.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The bundle with its versions in the order of a lock file or of git.
  ///
  /// - Parameters:
  ///   - recorded: names in the order that was recorded, oldest first.
  ///   - commits: when each version was committed first, as numbers that grow; nil if that is not known.
  /// - Returns: the bundle in that order.
  package func ordered(recorded: [String], commits: [String: Int]?) -> ModelBundle {
    var bundle = self
    bundle.sequence = VersionSequence(
      of: versions.map(\.name), currentName: currentVersionName, recorded: recorded, commits: commits)
    bundle.versions = bundle.sequence.sorted(versions)
    return bundle
  }

  /// The complete bundle if the path was that of a single version; otherwise the bundle itself.
  package func whole() throws(ModelFileError) -> ModelBundle {
    guard form == .single, let bundle = BundleLink.bundle(around: path) else { return self }
    return try ModelBundle(at: bundle)
  }

  /// The version of this name.
  public func version(named name: String) -> ModelVersion? { versionsByName[name] }

  /// The current version.
  ///
  /// - Throws: ``ModelFileError/noCurrentVersion(bundle:versions:)`` if the bundle does not name one, and
  ///   ``ModelFileError/currentVersionMissing(bundle:name:versions:)`` when it names a version it has not.
  public func currentVersion() throws(ModelFileError) -> ModelVersion {
    guard let name = currentVersionName else { throw .noCurrentVersion(bundle: path, versions: versions.map(\.name)) }
    guard let version = version(named: name) else {
      throw .currentVersionMissing(bundle: path, name: name, versions: versions.map(\.name))
    }
    return version
  }

  /// Every bundle below a folder that can be used, sorted by path; a bundle inside a bundle belongs to that one.
  ///
  /// The result excludes the same files as ``ProjectFiles``.
  ///
  /// - Parameter folder: the path of the folder; it may be a bundle itself.
  /// - Returns: the bundles that ``init(at:)`` accepts.
  public static func discover(under folder: String) -> [ModelBundle] {
    bundlePaths(under: folder).compactMap { path in try? ModelBundle(at: path) }
  }

  /// The only bundle below a folder; the editor's bundles go before compiled ones.
  public static func only(under folder: String) throws(ModelFileError) -> ModelBundle {
    try only(of: bundlePaths(under: folder), under: folder)
  }

  /// The only bundle of those found below a folder; the editor's bundles go before compiled ones.
  ///
  /// - Throws: ``ModelFileError/ambiguous(name:candidates:)`` when there are several, the cause when the only one
  ///   cannot be used, and ``ModelFileError/noBundle(folder:)`` if there is none.
  public static func only(of paths: [String], under folder: String) throws(ModelFileError) -> ModelBundle {
    let editable = paths.filter { Form(ofPath: $0)?.isEditable ?? false }
    let choice = editable.isEmpty ? paths : editable
    guard let first = choice.first else { throw .noBundle(folder: folder) }
    guard choice.count == 1 else { throw .ambiguous(name: folder, candidates: choice) }
    return try ModelBundle(at: first)
  }

  /// The paths without each `.mom` next to a `.momd` of its name: it is left from a build before there were versions.
  package static func withoutStale(_ paths: [String]) -> [String] {
    let known = Set(paths)
    return paths.filter { Form(ofPath: $0) != .compiledSingle || !known.contains("\($0)d") }
  }

  /// The paths of every bundle below a folder, usable or not, sorted.
  public static func bundlePaths(under folder: String) -> [String] { ProjectFiles.found(under: folder).bundles }
}

/// One version of a model in a bundle.
public struct ModelVersion: Hashable, Sendable {
  /// The form of its file.
  public enum Form: Hashable, Sendable {
    /// The editor's XML.
    case contents
    /// The editor's archive from before XML.
    case elements
    /// The compiled model.
    case compiled

    /// Reads a model from the bytes of a file of this form.
    ///
    /// - Parameter cache: the texts that versions share.
    package func read(
      _ bytes: Data, path: String, sharing cache: EntityTextCache? = nil
    ) throws(ModelFileError) -> ModelFile {
      switch self {
      case .contents: try ContentsReader.read(bytes, path: path, sharing: cache)
      case .elements: try ElementsReader.read(bytes, path: path)
      case .compiled: try CompiledModelReader.read(bytes, path: path)
      }
    }
  }

  /// The version's name, without an extension.
  public let name: String
  /// The path of the version: a `.xcdatamodel` folder or a `.mom` file.
  public let path: String
  /// The name of its bundle, without an extension.
  public let bundleName: String
  /// The path of the file the model is in.
  public let filePath: String
  /// The form of that file.
  public let form: Form

  /// Reads the version's model.
  public func load() throws(ModelFileError) -> ModelFile { try load(bytes()) }

  package func bytes() throws(ModelFileError) -> Data { try FileBytes.read(filePath) }

  /// Reads the version's model from the bytes of its file.
  ///
  /// - Parameter cache: the texts that versions share.
  package func load(_ bytes: Data, sharing cache: EntityTextCache? = nil) throws(ModelFileError) -> ModelFile {
    try form.read(bytes, path: filePath, sharing: cache)
  }

  /// The version and its bundle as the command line takes them: `Bundle@version`.
  public var qualifiedName: String { "\(bundleName)@\(name)" }
}

extension ShellWord {
  /// Makes a word of a version that no command takes for its bundle: Xcode gives the first version the bundle's name.
  package init(version name: String, ofBundleAt path: String) {
    let bundle = BundlePath.stem(path)
    self.init(name == bundle ? "\(bundle)@\(name)" : name)
  }
}
