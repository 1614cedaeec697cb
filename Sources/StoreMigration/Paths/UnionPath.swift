import MappingModels
import ModelDescription
public import ModelFiles
import VersionHashing

/// The versions that a store of several bundles passes, one bundle's step after another.
///
/// No combinations are tried: there are as many versions on the path as steps of all bundles. Where two bundles share
/// an entity, or one moves from a bundle to another, their steps that belong together are one.
public struct UnionPath: Sendable {
  private let bundles: [[LoadedVersion]]
  /// The names that entities of several bundles have; only those can clash or move.
  private let sharedNames: Set<String>

  /// Takes the bundles whose models are merged.
  ///
  /// - Parameter bundles: the versions of each bundle, oldest first.
  public init(_ bundles: [[LoadedVersion]]) {
    self.bundles = bundles.filter { !$0.isEmpty }
    var seen: Set<String> = []
    var shared: Set<String> = []
    for versions in self.bundles {
      let names = versions.reduce(into: Set<String>()) { $0.formUnion($1.versionHashes.entities.keys) }
      shared.formUnion(seen.intersection(names))
      seen.formUnion(names)
    }
    sharedNames = shared
  }

  /// The versions from one to another.
  ///
  /// - Parameter source: the version to start from, a bundle's or a merged one; nil for the oldest that fit together.
  /// - Returns: the versions, source first, destination last; only these two where the bundles' steps do not fit.
  public func versions(from source: LoadedVersion?, to destination: LoadedVersion) -> [LoadedVersion] {
    let goal = positions(of: destination)
    guard goal.allSatisfy({ $0 != nil }), let start = source.map(positions) ?? oldest() else {
      return [source, destination].compactMap { $0 }
    }
    var state = start
    var path = [source ?? merged(start)].compactMap { $0 }
    while state != goal {
      let next = step(from: state, to: goal) ?? jointStep(from: state, to: goal) ?? goal
      if next != goal, let version = merged(next) { path.append(version) }
      state = next
    }
    return start == goal ? [destination] : path + [destination]
  }

  /// The position of each bundle's version, nil for a bundle that takes no part.
  private typealias State = [Int?]

  private func positions(of version: LoadedVersion) -> State {
    let parts = version.parts.isEmpty ? [version] : version.parts
    return bundles.map { versions in
      versions.firstIndex { version in parts.contains { $0.bundle == version.bundle && $0.name == version.name } }
    }
  }

  /// The oldest version of the first bundle that fits, with the oldest of the others that fit it.
  private func oldest() -> State? {
    for first in bundles.first?.indices ?? 0..<0 {
      var state = State(repeating: nil, count: bundles.count)
      state[0] = first
      for bundle in bundles.indices.dropFirst() {
        state[bundle] = bundles[bundle].indices.first { fits($0, of: bundle, state) }
      }
      if state.allSatisfy({ $0 != nil }) { return state }
    }
    return nil
  }

  private func step(from state: State, to goal: State) -> State? {
    // A bundle that a store has nothing of yet comes last.
    let order = bundles.indices.filter { state[$0] != nil } + bundles.indices.filter { state[$0] == nil }
    for bundle in order where state[bundle] != goal[bundle] {
      guard let end = goal[bundle] else { continue }
      var next = state
      next[bundle] = state[bundle].map { $0 < end ? $0 + 1 : end } ?? end
      if let position = next[bundle], fits(position, of: bundle, next), keepsMoving(from: state, to: next, goal) {
        return next
      }
    }
    return nil
  }

  /// The shortest step of several bundles at once.
  private func jointStep(from state: State, to goal: State) -> State? {
    for bundle in bundles.indices {
      guard let start = state[bundle], let end = goal[bundle], start < end else { continue }
      for position in (start + 1)...end {
        var next = state
        next[bundle] = position
        for other in bundles.indices where other != bundle {
          guard let from = state[other], let to = goal[other], from <= to else { continue }
          var settled = next
          settled[other] = nil
          next[other] = (from...to).first {
            fits($0, of: other, settled) && brings($0, of: other, from: state, to: settled, goal)
          }
          if next[other] == nil { break }
        }
        if !zip(next, state).contains(where: { $0 == nil && $1 != nil }), keepsMoving(from: state, to: next, goal) {
          return next
        }
      }
    }
    return nil
  }

  /// True if every entity that a bundle shares with the others is equal in them.
  private func fits(_ position: Int, of bundle: Int, _ state: State) -> Bool {
    guard !sharedNames.isEmpty else { return true }
    let own = bundles[bundle][position].versionHashes.entities
    return sharedNames.allSatisfy { name in
      guard let hash = own[name] else { return true }
      return bundles.indices.allSatisfy { other in
        guard other != bundle, let known = hashes(of: other, state)[name] else { return true }
        return known == hash
      }
    }
  }

  /// False if an entity would go in this step that another bundle has in the end: it moves, and its rows with it.
  private func keepsMoving(from state: State, to next: State, _ goal: State) -> Bool {
    sharedNames.allSatisfy { name in
      !has(name, state) || has(name, next)
        || !bundles.indices.contains { hashes(of: $0, state)[name] == nil && hashes(of: $0, goal)[name] != nil }
    }
  }

  /// True if a version has the entities that go elsewhere in this step and are in its bundle in the end.
  private func brings(_ position: Int, of bundle: Int, from state: State, to next: State, _ goal: State) -> Bool {
    let (own, wanted) = (bundles[bundle][position].versionHashes.entities, hashes(of: bundle, goal))
    return sharedNames.allSatisfy { name in
      !has(name, state) || has(name, next) || wanted[name] == nil || own[name] != nil
    }
  }

  private func has(_ name: String, _ state: State) -> Bool {
    bundles.indices.contains { hashes(of: $0, state)[name] != nil }
  }

  private func hashes(of bundle: Int, _ state: State) -> [String: VersionHash] {
    state[bundle].map { bundles[bundle][$0].versionHashes.entities } ?? [:]
  }

  private func merged(_ state: State) -> LoadedVersion? {
    let parts = zip(bundles, state).compactMap { versions, position in position.map { versions[$0] } }
    guard parts.count > 1 else { return parts.first }
    return try? LoadedVersion(merging: parts)
  }
}

extension LoadedVersion {
  /// The two versions of the only bundle that changes between two versions of a merged model, nil if a different number
  /// of bundles does.
  package func changedPart(since source: LoadedVersion) -> (source: LoadedVersion, destination: LoadedVersion)? {
    guard !parts.isEmpty, parts.count == source.parts.count else { return nil }
    let changed = zip(source.parts, parts).filter { $0.versionHashes != $1.versionHashes }
    guard changed.count == 1, let pair = changed.first, pair.0.bundle == pair.1.bundle else { return nil }
    return pair
  }
}

extension KnownMapping {
  /// Extends a mapping of a single bundle to the merged model; the content of the other bundles is kept unchanged.
  ///
  /// - Parameter destination: the merged version they get; only this mapping's bundle differs.
  /// - Returns: the mapping; nil if the entities of the other bundles alone cannot be mapped.
  func completed(from source: LoadedVersion, to destination: LoadedVersion) -> KnownMapping? {
    let sourceRest = source.hierarchy.model.leavingOut(self.source.hierarchy.model)
    let destinationRest = destination.hierarchy.model.leavingOut(self.destination.hierarchy.model)
    guard let from = try? EntityHierarchy(sourceRest), let to = try? EntityHierarchy(destinationRest),
      let others = try? WrittenMappingModel().resolved(from: from, to: to)
    else { return nil }
    var model = model
    model.entityMappings += others.entityMappings
    return KnownMapping(path: path, source: source, destination: destination, model: model)
  }
}

extension ManagedObjectModel {
  /// The model without the entities that another one has.
  fileprivate func leavingOut(_ other: ManagedObjectModel) -> ManagedObjectModel {
    let names = Set(other.entities.map(\.name))
    var model = self
    model.entities = entities.filter { !names.contains($0.name) }
    return model
  }
}
