import Foundation
import ModelFiles
import PersistentStores
import VersionHashing

/// Pairs the bundles of the base with the bundles here, and finds the deleted and moved bundles.
struct BasePairing {
  private let base: HistoryBase
  private let readings: [ReadBundle]
  private let paths: [String]
  /// The readable lock files, by the paths of the bundles here.
  private let locks: [String: LockFile]
  /// The paths of the unreadable bundles here.
  private let unreadable: Set<String>
  private let configuration: CheckConfiguration
  /// The bundles of the base, by their current paths.
  private(set) var bundles: [String: BaseBundle] = [:]
  /// The deleted, moved and excluded bundles.
  private(set) var gone: [DeletedBundle] = []
  /// The errors of bundles of the base that cannot be used.
  private(set) var errors: [any Error] = []

  /// Pairs the bundles of a base with those here.
  ///
  /// - Parameter locks: the readable lock files, by the paths of the bundles here.
  static func read(
    _ base: HistoryBase, with readings: [ReadBundle], under paths: [String], locks: [String: LockFile],
    unreadable: Set<String>, configuration: CheckConfiguration
  ) -> BasePairing {
    var pairing = BasePairing(
      base: base, readings: readings, paths: paths, locks: locks, unreadable: unreadable, configuration: configuration)
    pairing.pairByPath()
    pairing.claimMoved()
    return pairing
  }

  private mutating func pairByPath() {
    for reading in readings {
      let path = base.path(reading.bundle.path)
      guard FileManager.default.fileExists(atPath: path) else { continue }
      bundles[reading.bundle.path] = readBase(path, current: reading)
    }
  }

  private mutating func readBase(_ path: String, current: ReadBundle?) -> BaseBundle? {
    do {
      let bundle = try BaseBundle.read(ModelBundle(at: path), base: base, current: current)
      if let name = bundle.unknownVersions.first {
        throw HistoryError.unreadableVersion(name: name, bundle: base.workingPath(path), base: base.name)
      }
      return bundle
    } catch {
      errors.append(error)
      return nil
    }
  }

  /// Finds the deleted, moved and excluded bundles; a moved bundle becomes the base of its successor.
  private mutating func claimMoved() {
    let absent = absentBundles()
    claimHeld(absent)
    let claimed = Set(gone.map(\.path))
    for (bundle, isExcluded) in absent {
      let workingPath = base.workingPath(bundle.reading.bundle.path)
      guard !claimed.contains(workingPath) else { continue }
      let open = isExcluded ? [] : readings.filter { bundles[$0.bundle.path] == nil }
      let hashes = Set(bundle.reading.usable.map(\.versionHashes))
      let successor =
        open.first { $0.hasVersion(of: hashes) } ?? open.first { $0.bundle.name == bundle.reading.bundle.name }
      if let successor { bundles[successor.bundle.path] = readBase(bundle.reading.bundle.path, current: successor) }
      var lost = DeletedBundle(
        path: workingPath, releasedVersions: bundle.released.map(\.name), movedTo: successor?.bundle.path,
        base: base.name, revision: base.revision, excludedBy: isExcluded ? configuration.path : nil)
      lost.copy = base.revision == nil ? bundle.reading.bundle.path : nil
      gone.append(lost)
    }
  }

  /// The bundles of the base without a checked bundle at their paths.
  private mutating func absentBundles() -> [(bundle: BaseBundle, isExcluded: Bool)] {
    var absent: [(bundle: BaseBundle, isExcluded: Bool)] = []
    var seen = Set(readings.map { base.path($0.bundle.path) })
    let earlier = earlierConfiguration()
    for path in paths.flatMap({ ModelBundle.bundlePaths(under: base.path($0)) }) where seen.insert(path).inserted {
      let workingPath = base.workingPath(path)
      let isExcluded = configuration.excludes(workingPath)
      // The path may now have a file that is not a bundle, or a link to the moved bundle.
      guard !isExcluded || isNewlyExcluded(workingPath, since: earlier), !unreadable.contains(workingPath),
        FileManager.default.fileExists(atPath: path), let bundle = try? ModelBundle(at: path), bundle.form.isEditable,
        let read = readBase(path, current: nil)
      else { continue }
      absent.append((read, isExcluded))
    }
    return absent
  }

  /// The configuration of the base; nil if it is unknown.
  ///
  /// If only a part of the project is checked, the base may lack the configuration.
  private func earlierConfiguration() -> CheckConfiguration? {
    guard let file = configuration.path else { return nil }
    let folder = CheckConfiguration.components(BundlePath.parent(file))
    guard paths.contains(where: { folder.starts(with: CheckConfiguration.components($0)) }) else { return nil }
    let path = base.path(file)
    guard FileManager.default.fileExists(atPath: path) else { return CheckConfiguration() }
    var earlier = try? CheckConfiguration(contentsOf: path)
    earlier?.path = file
    return earlier
  }

  /// True for an existing bundle that the project excludes now and did not exclude before.
  private func isNewlyExcluded(_ path: String, since earlier: CheckConfiguration?) -> Bool {
    guard let earlier else { return false }
    return !earlier.excludes(path) && FileManager.default.fileExists(atPath: path)
  }

  /// Pairs bundles of the base with bundles that have all their releases, if the bundles at their paths do not.
  ///
  /// - Parameter absent: the bundles of the base without a bundle at their paths.
  private mutating func claimHeld(_ absent: [(bundle: BaseBundle, isExcluded: Bool)]) {
    let held = readings.map { (reading: $0, hashes: hashes(heldBy: $0)) }
    let open = held.filter { reading, hashes in
      bundles[reading.bundle.path].map { !$0.identity.isSubset(of: hashes) } ?? true
    }
    let sources =
      open.compactMap { reading, _ in
        bundles[reading.bundle.path].map { BundleMoves.Source(bundle: $0, occupant: reading) }
      }
      + absent.filter { !$0.isExcluded }.map { BundleMoves.Source(bundle: $0.bundle, occupant: nil) }
    guard !sources.isEmpty else { return }
    let moves = BundleMoves(
      of: sources,
      among: open.map { reading, hashes in BundleMoves.Destination(path: reading.bundle.path, hashes: hashes) })
    let moved = moves.destinations.sorted { $0.key < $1.key }
    for (position, _) in moved {
      if let occupant = sources[position].occupant { bundles[occupant.bundle.path] = nil }
    }
    for (position, destination) in moved {
      let source = sources[position].bundle
      let path = source.reading.bundle.path
      bundles[destination] = readBase(path, current: readings.first { $0.bundle.path == destination })
      gone.append(
        DeletedBundle(
          path: base.workingPath(path), releasedVersions: source.released.map(\.name), movedTo: destination,
          base: base.name, revision: base.revision))
    }
  }

  /// The hashes of the versions of a bundle and of the entries of the lock file beside it.
  private func hashes(heldBy reading: ReadBundle) -> Set<VersionHashes> {
    Set(reading.usable.map(\.versionHashes))
      .union((locks[reading.bundle.path]?.entries ?? [:]).values.map(\.hashes))
  }
}

/// The bundles of the base that were moved, as their versions show.
///
/// A bundle was not moved if the bundle at its path has all its releases. If not, it moved to the only other bundle that
/// has all of them, provided that the bundle now at its path was moved there too. If that bundle was not moved, it may be
/// the same bundle with an edit.
struct BundleMoves {
  /// A bundle of the base whose releases are not all in the bundle at its path.
  struct Source {
    let bundle: BaseBundle
    /// The bundle that is now at its path; nil if there is none.
    let occupant: ReadBundle?
  }

  /// A bundle that may be the destination of a move.
  struct Destination {
    let path: String
    /// The hashes of its versions and of the entries of its lock file.
    let hashes: Set<VersionHashes>
  }

  /// The current paths of the moved bundles, by their positions.
  let destinations: [Int: String]

  /// Finds the moves.
  ///
  /// - Parameters:
  ///   - sources: the bundles of the base that may have moved.
  ///   - candidates: the bundles here that are not paired with a bundle of the base at their path.
  init(of sources: [Source], among candidates: [Destination]) {
    let found = sources.map { source -> String? in
      let wanted = source.bundle.identity
      guard !wanted.isEmpty else { return nil }
      let holders = candidates.filter {
        $0.path != source.occupant?.bundle.path && wanted.isSubset(of: $0.hashes)
      }
      return holders.count == 1 ? holders[0].path : nil
    }
    let claims = found.reduce(into: [String: Int]()) { claims, path in
      if let path { claims[path, default: 0] += 1 }
    }
    var moves = found.enumerated().reduce(into: [Int: String]()) { moves, one in
      if let path = one.element, claims[path] == 1 { moves[one.offset] = path }
    }
    // A bundle that was not moved blocks its path for other bundles, which then may block their own paths.
    while true {
      let taken = Set(moves.values)
      let staying = Set(sources.indices.filter { moves[$0] == nil }.compactMap { sources[$0].occupant?.bundle.path })
      let left = moves.filter { position, path in
        !staying.contains(path) && sources[position].canLeave(where: taken)
      }
      guard left.count < moves.count else { break }
      moves = left
    }
    destinations = moves
  }
}

extension BundleMoves.Source {
  /// False if the bundle at the path was not moved there: it may be this bundle with an edit, even if there are copies.
  fileprivate func canLeave(where taken: Set<String>) -> Bool {
    occupant.map { taken.contains($0.bundle.path) } ?? true
  }
}
