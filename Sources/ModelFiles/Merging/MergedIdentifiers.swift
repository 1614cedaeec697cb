/// The elements of a model that are known by the same identifier as another of their kind.
struct MergedIdentifiers {
  /// One of them, with the one before it.
  struct Shared {
    let entity: String
    let identifier: String
    let name: String
    let other: String
    /// Where its tag begins.
    let offset: Int

    /// What it is in every text of the same model.
    var key: [String] { [entity, identifier] }
  }

  private(set) var shared: [Shared] = []

  init(_ model: MarkupNode) {
    let entities = model.children.filter { $0.name == "entity" }
    find(among: entities, of: "", path: "")
    for entity in entities {
      let properties = entity.children.filter { ["attribute", "relationship"].contains($0.name) }
      find(among: properties, of: entity.canonicalName ?? "", path: "\(entity["name"] ?? "").")
    }
  }

  /// Two of one name are told as such.
  private mutating func find(among nodes: [MarkupNode], of entity: String, path: String) {
    var names: [String: String] = [:]
    for node in nodes {
      guard let identifier = node.canonicalName, let name = node.filled("name") else { continue }
      if let other = names[identifier], other != name {
        shared.append(
          Shared(
            entity: entity, identifier: identifier, name: path + name, other: path + other,
            offset: node.range.lowerBound))
      } else {
        names[identifier] = name
      }
    }
  }
}
