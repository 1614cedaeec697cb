import Foundation
import MappingModels
import ModelFiles
import VersionHashing

/// Inferred and composed mappings between versions, each computed once.
final class MappingMemory: @unchecked Sendable {
  let options: InferenceOptions
  private let lock = NSLock()
  /// A small number for every version that was asked about, so that chains are cheap to look up.
  private var identifiers: [VersionHashes: Int] = [:]
  private var steps: [[Int]: Result<MappingModel, InferenceRefusal>] = [:]
  private var chains: [[Int]: MappingModel] = [:]

  init(options: InferenceOptions) {
    self.options = options
  }

  /// The mapping inferred from one version to another.
  func step(from source: LoadedVersion, to destination: LoadedVersion) throws(InferenceRefusal) -> MappingModel {
    let key = identify([source, destination])
    if let known = remembered({ steps[key] }) { return try known.get() }
    let result: Result<MappingModel, InferenceRefusal>
    do {
      result = .success(
        try MappingModel.inferred(from: source.hierarchy, to: destination.hierarchy, options: options))
    } catch {
      result = .failure(error)
    }
    lock.withLock { steps[key] = result }
    return try result.get()
  }

  /// The mapping that equals passing every version of a chain, nil for a chain without a step.
  func chain(_ versions: [LoadedVersion]) throws(MigrationRoute.Refusal) -> MappingModel? {
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
        step = try self.step(from: earlier, to: later)
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
      guard let step = try? step(from: source, to: next) else { return }
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
        if let known = identifiers[version.versionHashes] { return known }
        let identifier = identifiers.count
        identifiers[version.versionHashes] = identifier
        return identifier
      }
    }
  }

  private func remembered<Value>(_ read: () -> Value?) -> Value? { lock.withLock(read) }
}
