import ModelDescription
import VersionHashing

/// Looks for one edit, or two, of an entity that give the hash a store has.
struct EditSearch {
  /// The most pairs of edits that are tried for one entity, of either sort.
  static let pairLimit = 10_000
  /// The most pairs that are tried for all entities of a store together.
  static let budget = 100_000

  private let entity: EntityDescription
  private let goal: VersionHash
  private let hasher: EntityHasher
  private let start: EntityFingerprint
  private let generator: EditGenerator
  /// The number of pairs that may still be tried.
  private(set) var remaining: Int

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - entity: the entity as the version declares it.
  ///   - goal: the store's hash.
  ///   - start: the parts of the version's hash, with the store's hash of the parent.
  ///   - hasher: the hasher of the version's model.
  ///   - vocabulary: the words that edits are made of.
  ///   - remaining: the number of pairs that may still be tried.
  init(
    of entity: EntityDescription, goal: VersionHash, start: EntityFingerprint, hasher: EntityHasher,
    vocabulary: EditVocabulary, remaining: Int
  ) {
    self.remaining = remaining
    self.entity = entity
    self.goal = goal
    self.start = start
    self.hasher = hasher
    generator = EditGenerator(vocabulary: vocabulary)
  }

  /// A change of the fingerprint that is computed once and tried many times.
  private struct Patch {
    let candidate: EditCandidate
    let property: EntityFingerprint.Property?

    func apply(to fingerprint: inout EntityFingerprint) {
      switch candidate.effect {
      case .abstract(let isAbstract): fingerprint.isAbstract = isAbstract
      case .modifier(let modifier): fingerprint.modifier = modifier
      case .constraints(let added, let removed):
        if let removed { fingerprint.constraints.removeAll { $0 == removed } }
        if let added { fingerprint.constraints.append(added) }
      case .property(let removed, _): fingerprint.replaceProperty(named: removed, with: property)
      }
    }
  }

  /// The edits, and the entity after them; nil when neither one nor two edits give the goal.
  mutating func run() -> (edits: [ModelEdit], entity: EntityDescription)? {
    let patches = generator.candidates(for: entity).compactMap(patch)
    if let single = patches.first(where: { matches([$0]) }) { return result([single]) }
    let frequent = patches.filter { !$0.candidate.isRare }
    return pairOfDifferentProperties(frequent) ?? pairOfOneProperty(patches)
  }

  private mutating func pairOfDifferentProperties(
    _ patches: [Patch]
  ) -> (edits: [ModelEdit], entity: EntityDescription)? {
    var tried = 0
    guard patches.count > 1 else { return nil }
    for sum in 1..<(2 * patches.count - 2) {
      for first in max(0, sum - patches.count + 1)..<((sum + 1) / 2) {
        let pair = [patches[first], patches[sum - first]]
        if let subject = pair[0].candidate.subject, subject == pair[1].candidate.subject { continue }
        tried += 1
        remaining -= 1
        guard tried <= Self.pairLimit, remaining >= 0 else { return nil }
        if matches(pair) { return result(pair) }
      }
    }
    return nil
  }

  /// Two edits of one property: the second starts from what the first made.
  private mutating func pairOfOneProperty(_ patches: [Patch]) -> (edits: [ModelEdit], entity: EntityDescription)? {
    var tried = 0
    for first in patches {
      guard case .property(let name?, let inserted?) = first.candidate.effect else { continue }
      if case .definition = first.candidate.change { continue }
      for candidate in generator.candidates(for: inserted, in: entity) {
        guard case .property(_, let final?) = candidate.effect else { continue }
        let combined = EditCandidate(
          change: candidate.change, effect: .property(removing: name, inserting: final))
        guard let patch = patch(combined) else { continue }
        tried += 1
        remaining -= 1
        guard tried <= Self.pairLimit, remaining >= 0 else { return nil }
        guard matches([patch]) else { continue }
        let changes = [first.candidate.change, candidate.change]
        return (changes.map { ModelEdit(entity: entity.name, change: $0) }, combined.applied(to: entity))
      }
    }
    return nil
  }

  private func patch(_ candidate: EditCandidate) -> Patch? {
    guard case .property(_, let inserted?) = candidate.effect else {
      return Patch(candidate: candidate, property: nil)
    }
    guard !inserted.isTransient else { return nil }
    switch inserted {
    case .attribute(let attribute):
      guard let hash = hasher.hash(of: attribute, in: entity.name) else { return nil }
      return Patch(candidate: candidate, property: EntityFingerprint.Property(name: attribute.name, hash: hash))
    case .relationship(let relationship):
      guard let hash = hasher.hash(of: relationship, in: entity.name) else { return nil }
      return Patch(candidate: candidate, property: EntityFingerprint.Property(name: relationship.name, hash: hash))
    }
  }

  private func matches(_ patches: [Patch]) -> Bool {
    var fingerprint = start
    for patch in patches { patch.apply(to: &fingerprint) }
    return fingerprint.hash == goal
  }

  private func result(_ patches: [Patch]) -> (edits: [ModelEdit], entity: EntityDescription) {
    let edits = patches.map { ModelEdit(entity: entity.name, change: $0.candidate.change) }
    return (edits, patches.reduce(entity) { $1.candidate.applied(to: $0) })
  }
}
