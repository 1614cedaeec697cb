import ModelFiles
import PersistentStores
import VersionHashing

/// Which bundles of the base lie at other paths now, as the versions that they hold show.
///
/// A bundle stays at its path while the bundle there holds all that was released of it. Otherwise it moved to the only
/// other bundle that holds all of it, where the one at its path now is shown to have come from elsewhere: a bundle that came
/// from nowhere may be the same one with an edit.
struct BundleMoves {
  /// A bundle of the base of which no bundle at its path holds all that was released.
  struct Source {
    let bundle: BaseBundle
    /// The bundle that is at its path now, nil where none is.
    let occupant: BundleReading?
  }

  /// A bundle that may be where another one moved to.
  struct Destination {
    /// Its path.
    let path: String
    /// The hashes of its versions and of the entries of its lock file.
    let hashes: Set<VersionHashes>
  }

  /// The paths where the bundles are now, by the positions of those that moved.
  let destinations: [Int: String]

  /// Finds the moves.
  ///
  /// - Parameters:
  ///   - sources: the bundles of the base that may have moved.
  ///   - candidates: the bundles here that hold no bundle of the base at their own path.
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
    // A bundle that stays at its path keeps others from it, which may keep those at theirs.
    while true {
      let taken = Set(moves.values)
      let staying = Set(
        sources.indices.filter { moves[$0] == nil }.compactMap { sources[$0].occupant?.bundle.path })
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
  /// False where the bundle at the path came from nowhere else: it may be this one, edited, whatever copies of it there are.
  fileprivate func canLeave(where taken: Set<String>) -> Bool {
    occupant.map { taken.contains($0.bundle.path) } ?? true
  }
}
