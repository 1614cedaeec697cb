public import Foundation
public import ModelDescription

/// The bits that persistent history has for the properties of an entity; the first is the highest bit of the first
/// byte.
///
/// To-one relationships come first, with hidden inverses last, then attributes. Both are sorted by name and include
/// inherited properties. To-many relationships follow in the order of a Foundation dictionary.
///
/// Source: 672 updates that Core Data wrote, see docs/reference/compatibility.md.
public struct HistoryBitmap: Hashable, Sendable {
  /// The meaning of a bit.
  public enum Bit: Hashable, Sendable {
    /// A property that is stored.
    case property(String)
    /// The hidden inverse of a to-many relationship without inverse that points to the object.
    case incoming(PropertyAddress)
  }

  /// The meanings of the bits.
  public let bits: [Bit]

  /// Orders the bits of an entity.
  public init(of entity: String, in hierarchy: EntityHierarchy) {
    self.init(of: entity, in: hierarchy, incoming: hierarchy.toManyRelationshipsWithoutInverse())
  }

  /// Orders the bits of an entity.
  ///
  /// - Parameter lists: the to-many relationships without inverse, by their destination entity.
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

  /// The bytes for changed properties.
  ///
  /// - Parameter incoming: the relationships without inverse that now point to the object, or do not any more.
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

  /// The properties named by bytes, in the order of the bits; bits after the last property are ignored.
  public func changes(in bytes: Data) -> [Bit] {
    bits.enumerated().filter { position, _ in
      let index = bytes.startIndex + position / 8
      return index < bytes.endIndex && bytes[index] & (0x80 >> (position % 8)) != 0
    }.map(\.element)
  }
}

/// The order of names in a Foundation dictionary: by their hashes in a table with room for its entries.
///
/// Source: CFString.c, CFBasicHash.c of swift-corelibs-foundation. The history of two entities shows that Core Data's
/// dictionary has 41 slots for few entries.
struct FoundationOrder {
  /// The number of slots of a table, and the number of entries it accepts.
  private static let sizes = [
    (41, 32), (71, 52), (127, 85), (191, 118), (251, 155), (383, 237), (631, 390), (1087, 672),
  ]

  private let size: Int

  init(entries: Int) { size = Self.sizes.first { entries <= $0.1 }?.0 ?? 1087 }

  /// The names by their slots; if two names have the same slot, the later name gets the next free slot.
  func ordered(_ names: [String]) -> [String] {
    var places: [Int: String] = [:]
    for name in names.prefix(size) {
      var place = Int(Self.hash(of: name) % UInt64(size))
      while places[place] != nil { place = (place + 1) % size }
      places[place] = name
    }
    return places.sorted { $0.key < $1.key }.map(\.value) + names.dropFirst(size)
  }

  /// The result of `CFStringHash`; for a long text, only its first, middle and last 32 characters count.
  private static func hash(of text: String) -> UInt64 {
    let units = Array(text.utf16)
    var hash = UInt64(units.count)
    func add(_ range: Range<Int>) {
      var rest = units[range]
      while rest.count >= 4 {
        let four = rest.prefix(4).map(UInt64.init)
        hash =
          hash &* 67_503_105 &+ four[0] &* 16_974_593 &+ four[1] &* 66_049 &+ four[2] &* 257 &+ four[3]
        rest = rest.dropFirst(4)
      }
      for unit in rest { hash = hash &* 257 &+ UInt64(unit) }
    }
    if units.count <= 96 {
      add(0..<units.count)
    } else {
      let middle = units.count / 2 - 16
      for start in [0, middle, units.count - 32] { add(start..<start + 32) }
    }
    return hash &+ hash << UInt64(units.count & 31)
  }
}

/// The bits of the entities of a model, computed at first use.
package struct HistoryBitmaps {
  private let hierarchy: EntityHierarchy
  private lazy var incoming = hierarchy.toManyRelationshipsWithoutInverse()
  private var bitmaps: [String: HistoryBitmap] = [:]

  package init(_ hierarchy: EntityHierarchy) { self.hierarchy = hierarchy }

  package mutating func bitmap(of entity: String) -> HistoryBitmap {
    if let known = bitmaps[entity] { return known }
    let bitmap = HistoryBitmap(of: entity, in: hierarchy, incoming: incoming)
    bitmaps[entity] = bitmap
    return bitmap
  }
}

extension EntityHierarchy {
  /// The attributes whose values persistent history keeps after a deletion, in the order of their columns.
  package func attributesKeptAfterDeletion(of entity: String) -> [AttributeDescription] {
    allAttributes(of: entity).values.map(\.property)
      .filter { $0.preservesValueInHistoryOnDeletion && !$0.isTransient }
      .sorted { $0.name.precedesByBytes($1.name) }
  }

  /// The to-many relationships without inverse, by their destination entity.
  func toManyRelationshipsWithoutInverse() -> [String: [PropertyAddress]] {
    var lists: [String: [PropertyAddress]] = [:]
    for owner in model.entities {
      for relationship in owner.relationships where relationship.isToMany && !relationship.isTransient {
        guard let destination = relationship.destinationEntityName else { continue }
        let inverse = relationship.inverseName.flatMap { allRelationships(of: destination)[$0] }
        guard inverse?.property.isTransient ?? true else { continue }
        lists[destination, default: []].append(PropertyAddress(entity: owner.name, property: relationship.name))
      }
    }
    return lists
  }
}
