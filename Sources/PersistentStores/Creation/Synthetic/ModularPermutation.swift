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

  /// A permutation that moves every number by one.
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

  /// The number that times another leaves 1, by the extended algorithm of Euclid.
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
