/// Links between the objects of two mappings, which one origin gives.
struct LinkAtom: Hashable {
  /// The position of the mapping that makes the near objects.
  let near: Int
  /// The position of the mapping that makes the far objects.
  let far: Int
  /// Which near source object leads to which far one.
  let origin: LinkOrigin
  /// When the links are written.
  let turn: Turn

  /// The order in which Core Data writes relationships: by mapping, by object, by name.
  struct Turn: Hashable {
    /// The position of the mapping whose object is written to.
    let mapping: Int
    /// The place of the property among the mapping's.
    let property: Int
    /// True when the near object is written to.
    let isNear: Bool
  }

  /// The same links seen from the other side.
  var turned: LinkAtom {
    LinkAtom(
      near: far, far: near, origin: origin.turned,
      turn: Turn(mapping: turn.mapping, property: turn.property, isNear: !turn.isNear))
  }

  /// True for links between the same objects, whoever writes them.
  func hasSameLinks(as other: LinkAtom) -> Bool { near == other.near && far == other.far && origin == other.origin }
}
