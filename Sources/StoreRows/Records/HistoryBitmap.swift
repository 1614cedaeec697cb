public import Foundation
public import ModelDescription

/// The bits that persistent history has for the properties of an entity: one for each stored property by name, inherited ones
/// too, the first in the highest bit of the first byte.
///
/// Source: spec/writing-rows.md §6, measured on 14 of 14 rows.
public struct HistoryBitmap: Hashable, Sendable {
  /// The properties, in the order of their bits.
  public let properties: [String]

  /// Orders the properties of an entity.
  public init(of entity: String, in hierarchy: EntityHierarchy) {
    let attributes = hierarchy.allAttributes(of: entity).values.filter { !$0.property.isTransient }.map(\.property.name)
    let relationships = hierarchy.allRelationships(of: entity).values.filter { !$0.property.isTransient }
      .map(\.property.name)
    properties = (attributes + relationships).sorted { $0.precedesByBytes($1) }
  }

  /// The bytes for some properties.
  public func bytes(of changed: Set<String>) -> Data {
    var bytes = Data(count: (properties.count + 7) / 8)
    for (position, name) in properties.enumerated() where changed.contains(name) {
      bytes[position / 8] |= 0x80 >> (position % 8)
    }
    return bytes
  }

  /// The properties that bytes name; bits beyond the last property name none.
  public func properties(in bytes: Data) -> [String] {
    properties.enumerated().filter { position, _ in
      let index = bytes.startIndex + position / 8
      return index < bytes.endIndex && bytes[index] & (0x80 >> (position % 8)) != 0
    }.map(\.element)
  }
}
