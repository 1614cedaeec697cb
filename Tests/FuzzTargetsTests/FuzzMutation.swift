import Foundation
import TestSupport

/// Changes of an input that a seed repeats: bytes flipped, cut, doubled, moved, and pieces of another input.
struct FuzzMutation {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// An input with up to four changes.
  mutating func mutated(_ input: Data, with other: Data) -> Data {
    var bytes = Array(input)
    for _ in 0..<Int.random(in: 1...4, using: &generator) { change(&bytes, Array(other)) }
    return Data(bytes.prefix(64 << 10))
  }

  private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
    guard let position = bytes.indices.randomElement(using: &generator) else {
      bytes = other
      return
    }
    let end = min(bytes.count, position + Int.random(in: 1...64, using: &generator))
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[position] = UInt8.random(in: .min ... .max, using: &generator)
    case 2: bytes.removeSubrange(position..<end)
    case 3: bytes.insert(contentsOf: bytes[position..<end], at: position)
    case 4:
      let extreme: UInt8 = [0, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
      for place in position..<min(bytes.count, position + 8) { bytes[place] = extreme }
    case 5:
      guard let start = other.indices.randomElement(using: &generator) else { return }
      bytes.replaceSubrange(position..<end, with: other[start..<min(other.count, start + end - position)])
    default: bytes.removeSubrange(position...)
    }
  }
}
