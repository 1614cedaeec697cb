import ModelDescription

/// The gaps of an attribute, or of an element of a composite one, with which each composite value is whole or nil.
///
/// The gaps of a composite value are those of the first element that it must have: all others share them.
struct CompositeElement {
  /// An element with the names that lead to it.
  typealias Place = (path: [String], attribute: AttributeDescription)

  /// The element, or the attribute itself where it is not composite.
  let attribute: AttributeDescription
  /// True when it has gaps of its own.
  let isOptional: Bool
  /// The elements whose gaps it shares.
  let sharedGaps: [Place]

  /// Follows a path through the elements of an attribute; nil where it leads to no value.
  ///
  /// - Parameters:
  ///   - path: the attribute's name, then the names of elements.
  ///   - declared: the attribute.
  init?(at path: [String], of declared: AttributeDescription) {
    var element = declared
    // The first required element is both: it has the gaps of the composite value, and a value wherever that one is.
    var (hasGaps, isRequired) = (declared.isOptional, !declared.isOptional)
    var shared: [Place] = []
    for depth in path.indices.dropFirst() {
      guard let next = element.elements.first(where: { $0.name == path[depth] }) else { return nil }
      let first = element.firstElement(isRequired: isRequired)
      if next.name == first?.name {
        isRequired = true
      } else {
        if hasGaps, let first { shared.append(first.firstLeaf(below: Array(path[..<depth]))) }
        (hasGaps, isRequired) = (next.isOptional, !next.isOptional)
      }
      element = next
    }
    guard element.type != .composite else { return nil }
    attribute = element
    isOptional = hasGaps
    sharedGaps = shared
  }
}

extension AttributeDescription {
  /// The first element without which a composite value is not whole; nil where it may be made of any.
  ///
  /// A value without any element is nil, so that one that must be there has at least its first.
  fileprivate func firstElement(isRequired: Bool) -> AttributeDescription? {
    elements.first { !$0.isOptional && $0.hasColumn } ?? (isRequired ? elements.first(where: \.hasColumn) : nil)
  }

  /// The first value without which this one is not there.
  fileprivate func firstLeaf(below path: [String]) -> CompositeElement.Place {
    let path = path + [name]
    return firstElement(isRequired: true)?.firstLeaf(below: path) ?? (path: path, attribute: self)
  }

  private var hasColumn: Bool { leaves.contains { SQLColumn.DeclaredType($0.attribute.type) != nil } }
}
