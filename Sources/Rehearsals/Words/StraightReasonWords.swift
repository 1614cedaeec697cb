extension StraightReason {
  /// The reason in one sentence without its full stop.
  var sentence: String {
    switch self {
    case .newEntity(let entity, let gap, let source):
      "\(entity) is a new entity after \(Self.words(of: gap)); straight, it goes on from \(source)"
    case .otherSource(let entity, let passing, let straight):
      """
      \(entity) goes on from \(passing ?? "nothing") when every version is passed, and from \(straight ?? "nothing") \
      straight
      """
    case .derived(let entity, let attribute): "\(entity).\(attribute) is computed from properties that differ"
    case .converted(let entity, let attribute):
      "the values of \(entity).\(attribute) are converted or filled in a version between; straight, they are not"
    case .newAttribute(let entity, let attribute, let gap, let source):
      """
      \(entity).\(attribute) is a new attribute after \(Self.words(of: gap)); straight, it keeps the values of \(source)
      """
    case .attributeContinued(let entity, let attribute, let source):
      "\(entity).\(attribute) goes on from \(source) only through the versions between; straight, it is new"
    case .filled(let entity, let attribute): "\(entity).\(attribute) is filled otherwise in a version between"
    case .linksMoved(let entity, let relationship):
      """
      a version between holds the links of \(entity).\(relationship) otherwise; straight, they are not touched
      """
    case .newRelationship(let entity, let relationship, let gap, let source):
      """
      \(entity).\(relationship) is a new relationship after \(Self.words(of: gap)); straight, it keeps the links of \
      \(source)
      """
    }
  }

  private static func words(of gap: String?) -> String { gap.map { "\($0), which lacks it" } ?? "a version between" }
}
