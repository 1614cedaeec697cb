import Foundation
import GRDB
import ModelDescription

/// The values of a single attribute over the rows of its entity.
struct SyntheticAttribute {
  /// How a row's value is chosen.
  enum Choice {
    /// At random, sometimes absent when it may be.
    case random
    /// Derived from the row's primary key divided by this number, so that rows differ.
    case ordinal(divisor: Int)
  }

  let isOptional: Bool
  let choice: Choice
  private let domain: ValueDomain
  private let seed: UInt64
  private let isExternal: Bool
  /// The row of an entity, from 0, whose value is always missing.
  private let gap: Int?
  /// The elements of a composite attribute whose gaps this element shares.
  private let sharedGaps: [SyntheticAttribute]

  /// The number of rows of an entity that store an external binary value in a file.
  private static let externalRows = 4

  /// Creates the values of an attribute.
  ///
  /// If a number of rows is given, one of the first rows lacks a value.
  init(
    _ attribute: AttributeDescription, address: PropertyAddress, isOptional: Bool, seed: UInt64, choice: Choice,
    isNumber: Bool = false, gapsAmong rows: Int? = nil, sharedGaps: [SyntheticAttribute] = []
  ) {
    (self.isOptional, self.choice, self.sharedGaps) = (isOptional, choice, sharedGaps)
    self.seed = SplitMix64.seed(seed, for: address)
    self.domain = ValueDomain(attribute, seed: self.seed, isNumber: isNumber)
    isExternal = attribute.type == .binary && attribute.allowsExternalBinaryDataStorage
    gap = rows.flatMap { [seed = self.seed] rows in rows > 1 ? Int(seed % UInt64(rows)) : nil }
  }

  /// The value of a row.
  ///
  /// - Parameter position: the position of the row in its entity, from 0.
  /// - Returns: the value; NULL if it is missing.
  func value(primaryKey: Int, position: Int) -> DatabaseValue {
    if isInSharedGap(primaryKey: primaryKey, position: position) { return .null }
    switch choice {
    case .ordinal(let divisor): return domain.value(at: (primaryKey - 1) / divisor % domain.count)
    case .random:
      let bits = draw(primaryKey: primaryKey)
      if isOptional, isGap(bits, position: position) { return .null }
      return domain.value(at: Int((bits >> 3) % UInt64(min(domain.count, 1 << 20))))
    }
  }

  /// The file of the value of one of the first rows, and the reference to it; nil if the value is in the row.
  func externalFile(primaryKey: Int, position: Int) -> (name: String, content: Data, reference: DatabaseValue)? {
    guard isInFile(position: position), !isInSharedGap(primaryKey: primaryKey, position: position) else { return nil }
    let bytes = domain.uuid(at: primaryKey)
    let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
    let name = groups.map { group in
      group.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }.joined(separator: "-")
    let content = domain.positions(2048, from: primaryKey &* 2048)
    return (name, content, Data([0x02] + Array(name.utf8) + [0x00]).databaseValue)
  }

  private func draw(primaryKey: Int) -> UInt64 { SplitMix64.mix(seed ^ UInt64(primaryKey)) }

  private func isGap(_ bits: UInt64, position: Int) -> Bool { bits & 7 == 0 || position == gap }

  private func isInFile(position: Int) -> Bool { isExternal && position < Self.externalRows }

  private func isInSharedGap(primaryKey: Int, position: Int) -> Bool {
    sharedGaps.contains { $0.hasGap(primaryKey: primaryKey, position: position) }
  }

  private func hasGap(primaryKey: Int, position: Int) -> Bool {
    guard isOptional, case .random = choice, !isInFile(position: position) else { return false }
    return isGap(draw(primaryKey: primaryKey), position: position)
  }
}
