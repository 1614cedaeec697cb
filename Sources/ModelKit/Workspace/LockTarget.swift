import Foundation
import ModelDescription
package import ModelFiles
import PersistentStores

/// A bundle whose lock file is written, with the given versions.
package struct LockTarget: Sendable {
  package let bundle: ModelBundle
  /// The given versions; empty for the current version.
  package internal(set) var versions: [String]
  /// The given versions that were released and are recorded again.
  package internal(set) var relocked: Set<String> = []
}

extension Workspace {
  /// Finds the bundles that arguments name: paths of bundles, of folders with bundles, of versions; names of versions.
  ///
  /// - Parameter arguments: the arguments; if empty, every bundle of the workspace, and no version to record again.
  /// - Throws: `ModelFileError` and ``WorkspaceError`` if an argument does not name a bundle, or names several.
  package func lockTargets(_ arguments: [String], relocking relocked: [String] = []) throws -> [LockTarget] {
    var targets: [LockTarget] = []
    func position(of bundle: ModelBundle) -> Int {
      let position = targets.firstIndex { $0.bundle.path == bundle.path } ?? targets.endIndex
      if position == targets.endIndex { targets.append(LockTarget(bundle: bundle, versions: [])) }
      return position
    }
    func add(_ bundle: ModelBundle, _ version: String?) {
      targets[position(of: bundle)].versions += [version].compactMap(\.self)
    }
    for argument in arguments {
      if let (bundle, version) = try Self.versionFolder(argument) {
        add(bundle, version)
      } else if FileManager.default.fileExists(atPath: argument), try !isName(argument) {
        let paths = try project.search().files(under: argument).bundles
        let editable = paths.filter { ModelBundle.Form(ofPath: $0)?.isEditable ?? false }
        guard let first = paths.first else {
          throw SwiftDataSources.isFile(argument)
            ? ModelFileError.notAModel(path: argument) : ModelFileError.noBundle(folder: argument)
        }
        for path in editable.isEmpty ? [first] : editable { add(try ModelBundle(at: path).whole(), nil) }
      } else {
        for (bundle, version) in try versions(ofUnion: argument) ?? [version(named: argument)] { add(bundle, version) }
      }
    }
    if arguments.isEmpty, relocked.isEmpty { try lockableBundles().forEach { add($0, nil) } }
    for name in relocked {
      let (bundle, found) = try Self.versionFolder(name) ?? version(named: name)
      let version = try found ?? bundle.currentVersion().name
      let position = position(of: bundle)
      targets[position].versions.append(version)
      targets[position].relocked.insert(version)
    }
    return targets
  }

  /// The bundle and the version with a name; no version for the name of a bundle, which means its current version.
  private func version(named name: String) throws -> (bundle: ModelBundle, version: String?) {
    let bundles = try lockableBundles()
    let named = bundles.filter { $0.name == name }
    if let bundle = named.first {
      guard named.count == 1 else { throw ModelFileError.ambiguous(name: name, candidates: named.map(\.path)) }
      try noteName(name, name, current: (try? bundle.currentVersion().name) ?? "", at: bundle.path)
      return (bundle, nil)
    }
    if let bundle = LoadedWorkspace.bundle(qualifying: name, bundles) {
      let version = String(name.dropFirst(bundle.name.count + 1))
      let names = bundle.versions.map(\.name)
      return (bundle, VersionLookup.position(of: version, in: names, report: report).map { names[$0] } ?? version)
    }
    let versions = bundles.flatMap { bundle in bundle.versions.map { (bundle: bundle, name: $0.name) } }
    let matches = VersionLookup.positions(of: name, in: versions.map(\.name)).map { versions[$0] }
    if matches.isEmpty, bundles.count == 1 { return (bundles[0], name) }
    guard let match = matches.first else {
      throw ModelFileError.unknownVersion(
        name: name, folder: path ?? ".",
        candidates: VersionLookup.suggestions(for: name, among: bundles.map(\.named)))
    }
    guard matches.count == 1 else {
      throw ModelFileError.ambiguous(name: name, candidates: matches.map { "\($0.bundle.name)@\($0.name)" })
    }
    WorkspaceNotice.respelling(of: name, as: [match.name]).map(report)
    return (match.bundle, match.name)
  }

  /// The versions in the name of a merged model; the lock file of each bundle records its own version.
  private func versions(ofUnion name: String) throws -> [(bundle: ModelBundle, version: String?)]? {
    let union = UnionName(name)
    let bundles = try lockableBundles()
    guard union.parts.count > 1, !bundles.contains(where: { $0.version(named: name) != nil }) else { return nil }
    let (versions, members) = try union.positions(in: bundles.map(\.versions), report: report)
    return try members.sorted().map { position in
      let bundle = bundles[position]
      return (bundle, try versions[position].map { bundle.versions[$0].name } ?? bundle.currentVersion().name)
    }
  }

  /// The bundles of the workspace that can have a lock file.
  private func lockableBundles() throws -> [ModelBundle] {
    let bundles = try bundles().filter(\.form.isEditable).map { try $0.whole() }
    guard !bundles.isEmpty else { throw try project.noBundle(under: path ?? project.search().project.path) }
    return bundles
  }

  private static func versionFolder(_ path: String) throws -> (ModelBundle, String?)? {
    guard let bundle = BundleLink.bundle(around: path) else { return nil }
    return (try ModelBundle(at: bundle), BundlePath.stem(BundleLink.version(of: path)))
  }
}
