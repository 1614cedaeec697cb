import StoreRows

/// A link that is left out, as it leads to an object which is not there, for programs.
struct LeftOutLink: Encodable, Sendable {
  private let entity: String
  private let key: Int64
  private let property: String

  init(_ link: LinkToNothing) { (entity, key, property) = (link.object.entity, link.object.key, link.relationship) }
}
