import Foundation
package import MappingModels
import ModelDescription
package import ModelFiles
import VersionHashing

/// Which versions are inferred straight from which; every question is answered once.
package final class VersionGraph: @unchecked Sendable {
  private let versions: [LoadedVersion]
  private let lock = NSLock()
  private var index: InferabilityIndex
  private var refusals: [[Int]: [InferenceRefusal]] = [:]
  private var ways: [Int: WaysBack] = [:]
  /// The first position of a version with the same hashes, by position.
  package let identities: [Int]
  /// The last position of a version with the same hashes, by the first.
  private let lastPositions: [Int: Int]
  private let followingCache = Once<[Int?]>()
  private let breakCache = Once<[Int?]>()

  package init(_ versions: [LoadedVersion]) {
    self.versions = versions
    index = InferabilityIndex(versions.map(\.hierarchy))
    var first: [VersionHashes: Int] = [:]
    identities = versions.indices.map { position in
      let hashes = versions[position].versionHashes
      if let known = first[hashes] { return known }
      first[hashes] = position
      return position
    }
    lastPositions = Dictionary(identities.enumerated().map { ($1, $0) }) { _, last in last }
  }

  /// The last position of a version with the hashes of that at a position.
  func lastPosition(of position: Int) -> Int { lastPositions[identities[position]] ?? position }

  /// True if the way up leads from neighbour to neighbour: no version of the destination's hashes is passed over on it.
  func isPlain(from source: Int, to destination: Int) -> Bool {
    lastPosition(of: source) == source && source < destination && identities[destination] == destination
      && lastPosition(of: destination) == destination
  }

  /// The first two neighbours on a plain way that inference does not lead between; nil if it leads between all.
  func firstBreak(from source: Int, to destination: Int) -> (source: Int, destination: Int)? {
    guard let next = following[source], next <= destination else { return nil }
    guard leads(from: source, to: next) else { return (source, next) }
    guard let last = breaks[next], let end = following[last], end <= destination else { return nil }
    return (last, end)
  }

  /// The positions that differ from the one before, of two between which inference does not lead.
  var broken: [Int] {
    versions.indices.filter { breaks[$0] == $0 }.flatMap { [$0, following[$0] ?? $0] }.filter(isFirst)
  }

  /// True for a position whose hashes are others than those before it.
  func isFirst(_ position: Int) -> Bool { position == 0 || identities[position - 1] != identities[position] }

  /// The next position with other hashes, by position; nil at the end.
  var following: [Int?] {
    followingCache.value {
      var following = [Int?](repeating: nil, count: versions.count)
      for position in versions.indices.dropLast().reversed() {
        following[position] =
          identities[position + 1] == identities[position] ? following[position + 1] : position + 1
      }
      return following
    }
  }

  /// The first position, from each on, that inference does not lead from to the following one.
  private var breaks: [Int?] {
    breakCache.value {
      var breaks = [Int?](repeating: nil, count: versions.count)
      for position in versions.indices.reversed() {
        guard let next = following[position] else { continue }
        breaks[position] = leads(from: position, to: next) ? breaks[next] : position
      }
      return breaks
    }
  }

  /// True if inference leads straight from one position to another.
  package func leads(from source: Int, to destination: Int) -> Bool {
    lock.withLock { index.isInferable(from: source, to: destination) }
  }

  /// Every reason why inference does not lead straight from one position to another, none if it does.
  package func refusals(from source: Int, to destination: Int) -> [InferenceRefusal] {
    guard !leads(from: source, to: destination) else { return [] }
    if let known = lock.withLock({ refusals[[source, destination]] }) { return known }
    let found = ModelStep(from: versions[source].hierarchy, to: versions[destination].hierarchy).refusals
    lock.withLock { refusals[[source, destination]] = found }
    return found
  }

  /// The fewest inferred steps from one position to a later position, trying the longest steps first.
  ///
  /// - Returns: the positions on the path, including the first and the last; nil if there is no path.
  func shortestWay(from source: Int, to destination: Int) -> [Int]? {
    guard let start = lastPositions[identities[source]], let end = lastPositions[identities[destination]], start < end
    else { return nil }
    return lock.withLock {
      var back = ways[destination] ?? WaysBack(to: destination, over: positions(before: end, to: destination))
      defer { ways[destination] = back }
      ways[destination] = nil
      return back.way(from: source, after: start) { index.isInferable(from: $0, to: $1) }
    }
  }

  /// The positions on ways to a version, each with other hashes than the one before it.
  private func positions(before end: Int, to destination: Int) -> [Int] {
    var last: Int?
    return (0..<end).filter { position in
      guard identities[position] != last, identities[position] != identities[destination] else { return false }
      last = identities[position]
      return true
    }
  }

  /// The positions after one position and before another, each with its own hashes; empty for a downgrade.
  package func positions(between source: Int, and destination: Int) -> [Int] {
    guard let start = lastPositions[identities[source]], let end = lastPositions[identities[destination]], start < end
    else { return [] }
    var last = identities[source]
    return ((start + 1)..<end).filter { position in
      guard identities[position] != last, identities[position] != identities[destination] else { return false }
      last = identities[position]
      return true
    }
  }
}

/// The shortest ways to one version, found from the newest versions on, so that each serves all that are older.
private struct WaysBack {
  private let destination: Int
  /// The positions that are still to be looked at, the newest last.
  private var open: [Int]
  /// The positions from which as many steps are needed as the layers before, and one; the newest first.
  private var layers: [[Int]] = []
  private var following: [Int: Int] = [:]

  init(to destination: Int, over positions: [Int]) { (self.destination, open) = (destination, positions) }

  /// The path from a position.
  ///
  /// - Parameters:
  ///   - start: the last position with the same hashes, from which the path continues.
  ///   - leads: returns true if one step is possible from a position to another.
  mutating func way(from source: Int, after start: Int, _ leads: (Int, Int) -> Bool) -> [Int]? {
    while let position = open.last, position > start {
      open.removeLast()
      guard let (next, layer) = step(from: position, after: position, leads) else { continue }
      following[position] = next
      if layer == layers.count { layers.append([]) }
      layers[layer].append(position)
    }
    guard let (next, _) = step(from: source, after: start, leads) else { return nil }
    var way = [source, next]
    while let last = way.last, let position = following[last] { way.append(position) }
    return way
  }

  /// The next position on the shortest path, and the number of positions after it.
  private func step(from position: Int, after start: Int, _ leads: (Int, Int) -> Bool) -> (next: Int, layer: Int)? {
    if leads(position, destination) { return (destination, 0) }
    for (number, layer) in layers.enumerated() {
      // What was looked at for an older version lies before.
      if let next = layer.first(where: { $0 > start && leads(position, $0) }) { return (next, number + 1) }
    }
    return nil
  }
}
