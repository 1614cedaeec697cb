import Foundation
public import ModelDescription
public import VersionHashing

extension LoadedVersion {
  /// The separator of the bundles and the version names of a merged model.
  public static let separator = MergedName.separator

  /// Merges versions of several bundles, as an app has them that opens one store with the models of several bundles.
  ///
  /// Its name has a part for each version: the version's name if that begins with the name of its bundle, as Xcode
  /// names them, or `Bundle@version`; for bundles with equal names, the version's path.
  ///
  /// - Parameter versions: a version of each bundle, in the order of the bundles.
  /// - Throws: ``UnionError`` when two contradict each other.
  public init(merging versions: [LoadedVersion]) throws(UnionError) {
    let names = Dictionary(grouping: versions, by: \.bundleName)
    try self.init(
      merging: versions, bundle: versions.map(\.bundle).joined(separator: Self.separator),
      name: versions.map { names[$0.bundleName]?.count == 1 ? $0.partName : $0.path }.joined(separator: Self.separator),
      isCurrent: versions.allSatisfy(\.isCurrent))
  }

  init(merging versions: [LoadedVersion], bundle: String, name: String, isCurrent: Bool) throws(UnionError) {
    let union: MergedModel
    do {
      union = try MergedModel(versions.map { ($0.hierarchy.model, $0.versionHashes) })
    } catch {
      throw UnionError(
        versions: [versions[error.first], versions[error.second]].map { ($0.bundle, $0.name) }, cause: .merge(error))
    }
    let hierarchy: EntityHierarchy
    do {
      hierarchy = try EntityHierarchy(union.model)
    } catch {
      throw UnionError(versions: versions.map { ($0.bundle, $0.name) }, cause: .structure(error))
    }
    self.init(
      bundle: bundle, name: name, isCurrent: isCurrent, hierarchy: hierarchy, versionHashes: union.hashes,
      parts: versions)
  }

  /// The version's name as a part of a merged model's.
  package var partName: String {
    let rest = name.dropFirst(bundleName.count)
    let isNamedAfterBundle = name.hasPrefix(bundleName) && !(rest.first.map { $0.isLetter || $0 == "@" } ?? false)
    return isNamedAfterBundle ? name : "\(bundleName)@\(name)"
  }

  private var path: String {
    switch ModelBundle.Form(rawValue: BundlePath.pathExtension(bundle)) {
    case .versioned: BundlePath.joined(bundle, "\(name).xcdatamodel")
    case .compiled: BundlePath.joined(bundle, "\(name).mom")
    case .single, .compiledSingle, nil: bundle
    }
  }

  /// Merges the versions that a merged model's name names, of each bundle one.
  ///
  /// - Parameter versions: the versions to choose from, those of a bundle beside each other.
  /// - Returns: the merged version, in the order of the bundles; nil if a part of the name means no version, or
  ///   several, and when the versions contradict each other.
  static func merged(named name: MergedName, among versions: [LoadedVersion]) -> LoadedVersion? {
    guard name.parts.count > 1 else { return nil }
    let positions = name.parts.compactMap { part -> Int? in
      let named = versions.indices.filter { versions[$0].parts.isEmpty && versions[$0].isNamed(byPart: part) }
      let edited = named.filter { !versions[$0].isCompiled }
      let found = edited.isEmpty ? named : edited
      return found.count == 1 ? found.first : nil
    }
    let chosen = positions.sorted().map { versions[$0] }
    guard Set(chosen.map(\.bundle)).count == name.parts.count else { return nil }
    return try? LoadedVersion(merging: chosen)
  }

  /// True if a part of a merged model's name means the version.
  private func isNamed(byPart part: String) -> Bool {
    part == partName || part == "\(bundleName)@\(name)" || part == path
  }

  /// Finds the versions of several bundles that together are a store's model.
  ///
  /// Each bundle's version is known by its own entities, so that no combinations are tried.
  ///
  /// - Parameters:
  ///   - versions: the versions to choose from, in the order in which they are preferred.
  ///   - configuration: the configuration that the store is opened with; nil for complete models.
  /// - Returns: a version of each bundle, in the order of the bundles; nil if the store is not made of several.
  package static func parts(
    of hashes: VersionHashes, among versions: [LoadedVersion], configuration: String? = nil
  ) -> [LoadedVersion]? {
    let fitting = versions.compactMap { version -> Fitting? in
      guard let own = version.versionHashes(ofConfiguration: configuration), !own.entities.isEmpty,
        own.entities.allSatisfy({ hashes.entities[$0.key] == $0.value })
      else { return nil }
      return (version, Set(own.entities.keys))
    }
    var owners: [String: Set<String>] = [:]
    for (version, names) in fitting { for name in names { owners[name, default: []].insert(version.bundle) } }
    var chosen: [String: LoadedVersion] = [:]
    var open = Set(hashes.entities.keys)
    // What the fewest bundles can hold is decided first.
    while let name = open.min(by: { ((owners[$0] ?? []).count, $0) < ((owners[$1] ?? []).count, $1) }) {
      let candidates = fitting.filter { chosen[$0.version.bundle] == nil && $0.names.contains(name) }
      guard let best = candidates.min(by: isPreferred) else { return nil }
      chosen[best.version.bundle] = best.version
      open.subtract(best.names)
    }
    guard chosen.count > 1 else { return nil }
    var seen: Set<String> = []
    return versions.compactMap { seen.insert($0.bundle).inserted ? chosen[$0.bundle] : nil }
  }

  /// A version whose entities the store has, and their names.
  private typealias Fitting = (version: LoadedVersion, names: Set<String>)

  /// The larger model first, of equal ones the current version, and what is edited before what is compiled.
  private static func isPreferred(_ first: Fitting, to second: Fitting) -> Bool {
    let (count, other) = (first.names.count, second.names.count)
    guard count == other else { return count > other }
    guard first.version.isCurrent == second.version.isCurrent else { return first.version.isCurrent }
    return !first.version.isCompiled && second.version.isCompiled
  }

  private var isCompiled: Bool { bundle.hasSuffix(".mom") || bundle.hasSuffix(".momd") }
}

/// The name of what several bundles are merged to, a part for each of them; it is the same in any order.
package struct MergedName: Hashable, Sendable {
  /// The separator of the parts.
  package static let separator = " + "

  /// The sorted parts; the complete name if it has one part.
  package let parts: [String]

  package init(_ text: String) { parts = text.components(separatedBy: Self.separator).sorted() }
}

/// The reason why versions of several bundles cannot be merged into a single model.
public struct UnionError: Error, Hashable, Sendable {
  /// A version that takes part in the merge.
  public struct Version: Hashable, Sendable {
    /// The path of its bundle.
    public let bundle: String
    /// Its name.
    public let name: String
  }

  /// The kind of the error.
  public enum Cause: Hashable, Sendable {
    /// Two models contradict each other.
    case merge(ModelMergeError)
    /// The entities of the merged model do not form a hierarchy.
    case structure(ModelStructureError)
  }

  /// The two versions that contradict each other, or all versions that were merged.
  public let versions: [Version]
  /// The kind of the error; ``cause`` is its text.
  public let reason: Cause

  init(versions: [(bundle: String, name: String)], cause: Cause) {
    self.versions = versions.map { Version(bundle: $0.bundle, name: $0.name) }
    reason = cause
  }
}

extension UnionError: AdvisedError {
  /// Always nil: the cause names the bundles and versions.
  public var place: String? { nil }

  /// The cause and the remedy in words, with the bundles and versions.
  public var cause: String { description(calling: versions.map { "\($0.bundle) (\($0.name))" }) }

  /// Always nil: the cause contains the remedy.
  public var advice: Advice? { nil }

  /// The cause and the remedy, with given names of the versions.
  ///
  /// - Parameter names: the names of the ``versions``, in their order.
  /// - Returns: a sentence without a full stop.
  public func description(calling names: [String]) -> String {
    switch reason {
    case .merge(let error): error.description(of: names.first ?? "", and: names.last ?? "")
    case .structure(let error): "\(names.joined(separator: " and ")) cannot be merged: \(error)"
    }
  }
}
