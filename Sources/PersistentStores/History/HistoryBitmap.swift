public import Foundation
public import ModelDescription

/// The bits that persistent history has for the properties of an entity, the first in the highest bit of the first byte.
///
/// To-one relationships come first, hidden inverses the last of them, then attributes, each by name, inherited ones too; then
/// come to-many relationships in the order in which Foundation keeps their names.
///
/// Source: 672 updates that Core Data wrote, see docs/compatibility.md.
public struct HistoryBitmap: Hashable, Sendable {
  /// What a bit stands for.
  public enum Bit: Hashable, Sendable {
    /// A property that is stored.
    case property(String)
    /// The hidden inverse of a to-many relationship that has none and leads to the object.
    case incoming(PropertyAddress)
  }

  /// What the bits stand for.
  public let bits: [Bit]

  /// Orders the bits of an entity.
  public init(of entity: String, in hierarchy: EntityHierarchy) {
    self.init(of: entity, in: hierarchy, incoming: hierarchy.toManyRelationshipsWithoutInverse())
  }

  /// Orders the bits of an entity.
  ///
  /// - Parameters:
  ///   - entity: its name.
  ///   - hierarchy: the model.
  ///   - lists: the to-many relationships without inverse, by the entity that they lead to.
  init(of entity: String, in hierarchy: EntityHierarchy, incoming lists: [String: [PropertyAddress]]) {
    let attributes = hierarchy.allAttributes(of: entity).values.filter { !$0.property.isTransient }.map(\.property.name)
    let relationships = hierarchy.allRelationships(of: entity).values.map(\.property).filter { !$0.isTransient }
    let incoming = hierarchy.lineage(of: entity).flatMap { lists[$0.name] ?? [] }
      .sorted { $0.description.precedesByBytes($1.description) }
    func sorted(_ names: [String]) -> [String] { names.sorted { $0.precedesByBytes($1) } }
    let toMany = FoundationOrder(entries: attributes.count + relationships.count + incoming.count).ordered(
      sorted(relationships.filter(\.isToMany).map(\.name)))
    bits =
      sorted(relationships.filter { !$0.isToMany }.map(\.name)).map(Bit.property) + incoming.map(Bit.incoming)
      + sorted(attributes).map(Bit.property) + toMany.map(Bit.property)
  }

  /// The bytes for what changed.
  ///
  /// - Parameters:
  ///   - properties: the names of properties that changed.
  ///   - incoming: the relationships without inverse that came to the object or went.
  /// - Returns: a bit for each.
  public func bytes(of properties: Set<String>, incoming: Set<PropertyAddress> = []) -> Data {
    var bytes = Data(count: (bits.count + 7) / 8)
    for (position, bit) in bits.enumerated() {
      let isSet =
        switch bit {
        case .property(let name): properties.contains(name)
        case .incoming(let address): incoming.contains(address)
        }
      if isSet { bytes[position / 8] |= 0x80 >> (position % 8) }
    }
    return bytes
  }

  /// What bytes name, in the order of the bits; bits beyond the last name nothing.
  public func changes(in bytes: Data) -> [Bit] {
    bits.enumerated().filter { position, _ in
      let index = bytes.startIndex + position / 8
      return index < bytes.endIndex && bytes[index] & (0x80 >> (position % 8)) != 0
    }.map(\.element)
  }
}
