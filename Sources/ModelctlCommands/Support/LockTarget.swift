import Foundation
import ModelKit

/// A bundle whose lock file is written, with the versions that were named.
struct LockTarget {
  /// The bundle.
  let bundle: ModelBundle
  /// The versions that were named; empty for the current one.
  var versions: [String]
  /// Those among the named ones that are recorded anew although they were released.
  var relocked: Set<String> = []

  /// Finds the bundles that arguments name: paths of bundles, of folders with bundles, of versions; names of versions.
  ///
  /// - Parameters:
  ///   - arguments: the arguments; every bundle here when there are none.
  ///   - options: where names are looked up.
  /// - Returns: each bundle once.
  /// - Throws: `ModelFileError` and ``CommandError`` when an argument names nothing, or several bundles.
  static func find(_ arguments: [String], _ options: ModelOptions) throws -> [LockTarget] {
    var targets: [LockTarget] = []
    func add(_ bundle: ModelBundle, _ version: String?) {
      let position = targets.firstIndex { $0.bundle.path == bundle.path } ?? targets.endIndex
      if position == targets.endIndex { targets.append(LockTarget(bundle: bundle, versions: [])) }
      targets[position].versions += [version].compactMap { $0 }
    }
    for argument in arguments {
      if let (bundle, version) = try versionFolder(argument) {
        add(bundle, version)
      } else if FileManager.default.fileExists(atPath: argument) {
        let paths = try ThisProject.search().files(under: argument).bundles
        let editable = paths.filter { ModelBundle.Form(ofPath: $0)?.isEditable ?? false }
        guard let first = paths.first else { throw ModelFileError.noBundle(folder: argument) }
        for path in editable.isEmpty ? [first] : editable { add(try ModelBundle(at: path), nil) }
      } else {
        for (bundle, version) in try union(argument, options) ?? [named(argument, options)] { add(bundle, version) }
      }
    }
    if arguments.isEmpty { try here(options).forEach { add($0, nil) } }
    return targets
  }

  /// The bundle and the version that the path of a version, or a name, stands for.
  static func version(_ argument: String, _ options: ModelOptions) throws -> (bundle: ModelBundle, version: String) {
    try versionFolder(argument) ?? named(argument, options)
  }

  /// The bundle and the version that a name stands for.
  private static func named(_ name: String, _ options: ModelOptions) throws -> (bundle: ModelBundle, version: String) {
    let bundles = try here(options)
    if let bundle = VersionCatalogue.bundle(qualifying: name, bundles) {
      let version = String(name.dropFirst(bundle.name.count + 1))
      let names = bundle.versions.map(\.name)
      return (bundle, VersionNote.position(of: version, in: names).map { names[$0] } ?? version)
    }
    let versions = bundles.flatMap { bundle in bundle.versions.map { (bundle: bundle, name: $0.name) } }
    let matches = VersionLookup.positions(of: name, in: versions.map(\.name)).map { versions[$0] }
    if matches.isEmpty, bundles.count == 1 { return (bundles[0], name) }
    guard let match = matches.first else {
      let names = versions.map { "\($0.bundle.name)@\($0.name)" }
      throw ModelFileError.unknownVersion(
        name: name, folder: options.model ?? ".", candidates: NearNames.nearest(to: name, among: names))
    }
    guard matches.count == 1 else {
      throw ModelFileError.ambiguous(name: name, candidates: matches.map { "\($0.bundle.name)@\($0.name)" })
    }
    VersionNote.tell(name, isTakenFor: [match.name])
    return (match.bundle, match.name)
  }

  /// The versions that the name of a merged model stands for: each is recorded by the lock file of its own bundle.
  private static func union(_ name: String, _ options: ModelOptions) throws -> [(ModelBundle, String)]? {
    let union = UnionName(name)
    let bundles = try here(options)
    guard union.parts.count > 1, !bundles.contains(where: { $0.version(named: name) != nil }) else { return nil }
    let (versions, members) = try union.positions(in: bundles.map(\.versions))
    return try members.sorted().map { position in
      let bundle = bundles[position]
      return (bundle, try versions[position].map { bundle.versions[$0].name } ?? bundle.currentVersion().name)
    }
  }

  /// The bundles here that have a lock file, or may get one.
  private static func here(_ options: ModelOptions) throws -> [ModelBundle] {
    let bundles = try options.bundles().filter(\.form.isEditable)
    guard !bundles.isEmpty else {
      throw try ThisProject.noBundle(under: options.model ?? ThisProject.search().project.path)
    }
    return bundles
  }

  private static func versionFolder(_ path: String) throws -> (ModelBundle, String)? {
    let trimmed = BundlePath.trimmed(path)
    let parent = BundlePath.parent(trimmed)
    guard trimmed.hasSuffix(".xcdatamodel"), parent.hasSuffix(".xcdatamodeld") else { return nil }
    return (try ModelBundle(at: parent), BundlePath.stem(trimmed))
  }
}
