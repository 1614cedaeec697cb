import ModelDescription
import ModelFiles

/// A userInfo entry that silences rules where it stands.
struct Suppression: Hashable, Sendable {
  /// The key of the entry; its value is rule ids with spaces or commas between.
  static let key = "modelctl.ignore"

  let place: ModelPlace
  /// The element's place; entries have none of their own.
  let location: SourceLocation
  let rules: [String]
}

extension Suppression {
  /// The entries of a model, entities first, each followed by its properties.
  static func all(in file: ModelFile) -> [Suppression] {
    file.model.entities.flatMap { entity in
      let properties =
        entity.attributes.map { ($0.name, $0.userInfo) } + entity.relationships.map { ($0.name, $0.userInfo) }
        + entity.fetchedProperties.map { ($0.name, $0.userInfo) }
      let elements =
        [(ModelElement.entity(entity.name), entity.userInfo)]
        + properties.map { (ModelElement.property(entity: entity.name, name: $0.0), $0.1) }
      return elements.compactMap { element, userInfo in Suppression(userInfo, of: element, in: file) }
    }
  }

  private init?(_ userInfo: [String: String], of element: ModelElement, in file: ModelFile) {
    guard let value = userInfo[Self.key] else { return nil }
    place = ModelPlace(path: file.path, element: element)
    location = file.location(of: element) ?? SourceLocation(file: file.path, line: 1, column: 1)
    rules = value.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }
}
