import Foundation
package import MappingModels
package import ModelFiles
import VersionHashing

/// Which versions are inferred straight from which; every question is answered once.
package final class VersionGraph: @unchecked Sendable {
  private let versions: [LoadedVersion]
  private let lock = NSLock()
  private var index: InferabilityIndex
  private var failures: [[Int]: InferenceRefusal] = [:]
  /// The first position of a version with the same hashes, by position.
  package let identities: [Int]
  /// The last position of a version with the same hashes, by the first.
  private let lastPositions: [Int: Int]

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

  /// True where inference leads straight from one position to another.
  package func leads(from source: Int, to destination: Int) -> Bool {
    lock.withLock { index.isInferable(from: source, to: destination) }
  }

  /// Why inference does not lead straight from one position to another, nil where it does.
  package func failure(from source: Int, to destination: Int) -> InferenceRefusal? {
    guard !leads(from: source, to: destination) else { return nil }
    if let known = lock.withLock({ failures[[source, destination]] }) { return known }
    do {
      _ = try MappingModel.inferred(from: versions[source].hierarchy, to: versions[destination].hierarchy)
      return nil
    } catch {
      lock.withLock { failures[[source, destination]] = error }
      return error
    }
  }

  /// The positions after one and before another, each with hashes of its own; none on the way back.
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
