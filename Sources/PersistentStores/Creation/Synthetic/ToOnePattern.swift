import ModelDescription

/// The destination row of each row of a to-one relationship, computed by arithmetic.
struct ToOnePattern {
  /// A destination row.
  struct Target {
    let primaryKey: Int
    /// Its position among the rows that refer to the same destination, from 0.
    let rank: Int
  }

  private enum Shape {
    case none
    /// Evenly over the targets; only the first rows refer, some of them not when `skips` is set.
    case even(ModularPermutation, limit: Int, skips: Bool)
    /// A tree in one range of rows: no row refers to a later row.
    case tree(fan: Int)
    /// One to one; the inverse is computed backwards.
    case pairs(ModularPermutation, isForward: Bool, skips: Int?)
    /// One to one with itself as inverse: neighbours.
    case neighbours
  }

  private let sources: RowRange
  private let targets: RowRange
  private let shape: Shape

  func target(ofPrimaryKey primaryKey: Int) -> Target? {
    let position = primaryKey - 1 - sources.start
    switch shape {
    case .none: return nil
    case .even(let permutation, let limit, let skips):
      guard position < limit, !(skips && position % 10 == 7) else { return nil }
      return Target(
        primaryKey: targets.primaryKey(at: permutation.image(of: position)), rank: position / permutation.count)
    case .tree(let fan):
      guard position > 0 else { return nil }
      return Target(primaryKey: targets.primaryKey(at: (position - 1) / fan), rank: (position - 1) % fan)
    case .pairs(let permutation, let isForward, let skips):
      guard position < permutation.count else { return nil }
      let other = isForward ? permutation.image(of: position) : permutation.preimage(of: position)
      if let skips, (isForward ? position : other) % skips == skips - 1 { return nil }
      return Target(primaryKey: targets.primaryKey(at: other), rank: 0)
    case .neighbours:
      let other = position ^ 1
      return other < targets.count ? Target(primaryKey: targets.primaryKey(at: other), rank: 0) : nil
    }
  }

  /// The pattern of a to-one relationship.
  ///
  /// If it is injective, no two rows refer to the same row. If it is complete, every row that can have a destination
  /// has one.
  init(_ ends: RelationshipEnds, space: RowSpace, seed: UInt64, isInjective: Bool, isComplete: Bool) {
    sources = space.rows(of: ends.address.entity)
    targets = space.rows(of: ends.destination.name)
    guard targets.count > 0, sources.count > 0 else {
      shape = .none
      return
    }
    let relationship = ends.relationship
    let isRequired = !relationship.isOptional || relationship.minCount > 0
    let seed = SplitMix64.seed(seed, for: ends.address)
    if let inverse = ends.inverse, !inverse.relationship.isToMany {
      shape = Self.pairs(ends, inverse, sources: sources, targets: targets, isRequired: isRequired || isComplete)
      return
    }
    let permutation = ModularPermutation(count: targets.count, seed: seed)
    if isInjective {
      shape = .even(permutation, limit: targets.count, skips: false)
    } else if sources == targets, !isRequired, ends.inverse.map({ $0.relationship.leastLinks == 0 }) ?? true {
      shape = .tree(fan: ends.inverse.map { $0.relationship.maxCount > 0 ? min(3, $0.relationship.maxCount) : 3 } ?? 3)
    } else {
      let capacity = targets.capacity(forEach: ends.inverse?.relationship.maxCount ?? 0)
      let limit = isRequired ? sources.count : min(sources.count, capacity)
      let isNeeded = ends.inverse.map { !$0.relationship.isOptional || $0.relationship.minCount > 0 } ?? false
      shape = .even(permutation, limit: limit, skips: !isRequired && !isNeeded && !isComplete)
    }
  }

  private static func pairs(
    _ ends: RelationshipEnds, _ inverse: (address: PropertyAddress, relationship: RelationshipDescription),
    sources: RowRange, targets: RowRange, isRequired: Bool
  ) -> Shape {
    if ends.isReflexive { return .neighbours }
    let isForward =
      (ends.address.entity, ends.address.property) < (inverse.address.entity, inverse.address.property)
    let isNeeded = isRequired || !inverse.relationship.isOptional || inverse.relationship.minCount > 0
    let count = min(sources.count, targets.count)
    if sources == targets {
      return .pairs(ModularPermutation(shifting: count), isForward: isForward, skips: isNeeded ? nil : 8)
    }
    let seed = UInt64(isForward ? ends.address.property.utf8.count : inverse.address.property.utf8.count)
    return .pairs(ModularPermutation(count: count, seed: seed), isForward: isForward, skips: isNeeded ? nil : 10)
  }

  /// The pattern of a to-many without inverse, seen from the rows it points at.
  init(owner ends: RelationshipEnds, space: RowSpace, seed: UInt64, isComplete: Bool) {
    sources = space.rows(of: ends.destination.name)
    targets = space.rows(of: ends.address.entity)
    guard targets.count > 0, sources.count > 0 else {
      shape = .none
      return
    }
    let isNeeded = !ends.relationship.isOptional || ends.relationship.minCount > 0
    shape = .even(
      ModularPermutation(count: targets.count, seed: SplitMix64.seed(seed, for: ends.address)),
      limit: min(sources.count, targets.capacity(forEach: ends.relationship.maxCount)),
      skips: !isNeeded && !isComplete)
  }
}

/// A permutation of the numbers below a count, computed in place: multiply, add, take the remainder.
struct ModularPermutation {
  let count: Int
  private let stride: Int
  private let inverseStride: Int
  private let offset: Int

  private static let strides = [7919, 104_729, 1_299_709, 15_485_863, 17, 13, 11, 7, 5, 3]

  /// Makes a permutation of at least 1 and fewer than 2³⁷ numbers, so that no product overflows.
  init(count: Int, seed: UInt64) {
    self.count = count
    let stride = Self.strides.first { Self.inverse(of: $0 % count, modulo: count) != nil } ?? 1
    self.stride = stride % count
    inverseStride = Self.inverse(of: stride % count, modulo: count) ?? 0
    offset = Int(seed % UInt64(count))
  }

  init(shifting count: Int) {
    self.count = count
    stride = 1 % count
    inverseStride = 1 % count
    offset = 1 % count
  }

  func image(of number: Int) -> Int { (number % count * stride + offset) % count }

  func preimage(of number: Int) -> Int {
    let difference = UInt64((number - offset + count) % count)
    let product = difference.multipliedFullWidth(by: UInt64(inverseStride))
    return Int(UInt64(count).dividingFullWidth(product).remainder)
  }

  /// The modular inverse of a number, by the extended Euclidean algorithm.
  private static func inverse(of number: Int, modulo: Int) -> Int? {
    if modulo == 1 { return 0 }
    var (remainder, next) = (modulo, number)
    var (factor, nextFactor) = (0, 1)
    while next != 0 {
      let quotient = remainder / next
      (remainder, next) = (next, remainder - quotient * next)
      (factor, nextFactor) = (nextFactor, factor - quotient * nextFactor)
    }
    return remainder == 1 ? (factor + modulo) % modulo : nil
  }
}
