import ModelDescription

/// What of a model decides which entities continue which, and whether their tables can be brought together.
struct ModelShape: Hashable {
  /// An entity's names and its place.
  struct Member: Hashable {
    let name: String
    let identifier: String?
    let superentity: String?
  }

  let members: Set<Member>

  init(_ hierarchy: EntityHierarchy) {
    members = Set(
      hierarchy.model.entities.map {
        Member(name: $0.name, identifier: $0.renamingIdentifier, superentity: $0.superentityName)
      })
  }
}
