import Foundation
import MappingModels
import ModelDescription
import ModelFiles
import VersionHashing

/// Inferred and composed mappings between versions, each computed once.
final class MappingCache: @unchecked Sendable {
  let options: InferenceOptions
  private let lock = NSLock()
  /// A small number for every version that was asked about, so that chains are cheap to look up.
  ///
  /// Renaming identifiers and default values decide about a mapping and enter no hash.
  private var identifiers: [VersionHashes: [(model: ManagedObjectModel, identifier: Int)]] = [:]
  private var count = 0
  private var steps: [[Int]: ModelStep] = [:]
  private var chains: [[Int]: MappingModel] = [:]

  init(options: InferenceOptions) { self.options = options }

  func step(from source: LoadedVersion, to destination: LoadedVersion) -> ModelStep {
    let key = identify([source, destination])
    if let known = remembered({ steps[key] }) { return known }
    let step = ModelStep(from: source.hierarchy, to: destination.hierarchy, options: options)
    lock.withLock { steps[key] = step }
    return step
  }

  /// The mapping that equals passing every version of a chain, nil for a chain without a step.
  func chain(_ versions: [LoadedVersion]) throws(MigrationPath.Refusal) -> MappingModel? {
    let identifiers = identify(versions)
    var position = versions.count
    var mapping: MappingModel?
    while mapping == nil, position > 1 {
      let key = Array(identifiers[..<position])
      mapping = remembered { chains[key] }
      if mapping == nil { position -= 1 }
    }
    while position < versions.count {
      let (earlier, later) = (versions[position - 1], versions[position])
      let step: MappingModel
      do {
        step = try self.step(from: earlier, to: later).inferredMapping()
      } catch {
        throw .init(source: earlier.name, destination: later.name, cause: .inference(error))
      }
      do {
        mapping =
          try mapping?.composed(
            with: step, from: versions[0].hierarchy, through: earlier.hierarchy, to: later.hierarchy) ?? step
      } catch {
        throw .init(source: earlier.name, destination: later.name, cause: .composition(error))
      }
      position += 1
      let (key, known) = (Array(identifiers[..<position]), mapping)
      lock.withLock { chains[key] = known }
    }
    return mapping
  }

  /// Composes the mappings from every version of a chain to its last, the shortest first: each is one composition more.
  func prepare(_ versions: [LoadedVersion]) {
    guard let last = versions.last else { return }
    let identifiers = identify(versions)
    var rest: MappingModel?
    for position in versions.indices.dropLast().reversed() {
      let (source, next) = (versions[position], versions[position + 1])
      guard let step = try? step(from: source, to: next).inferredMapping() else { return }
      var mapping = step
      if let rest {
        guard
          let composed = try? step.composed(
            with: rest, from: source.hierarchy, through: next.hierarchy, to: last.hierarchy)
        else { return }
        mapping = composed
      }
      let (key, known) = (Array(identifiers[position...]), mapping)
      lock.withLock { chains[key] = known }
      rest = mapping
    }
  }

  private func identify(_ versions: [LoadedVersion]) -> [Int] {
    lock.withLock {
      versions.map { version in
        let model = version.hierarchy.model
        if let known = identifiers[version.versionHashes]?.first(where: { $0.model == model }) {
          return known.identifier
        }
        count += 1
        identifiers[version.versionHashes, default: []].append((model, count))
        return count
      }
    }
  }

  private func remembered<Value>(_ read: () -> Value?) -> Value? { lock.withLock(read) }
}
