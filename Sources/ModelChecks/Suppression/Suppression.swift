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
    var all: [Suppression] = []
    func add(_ userInfo: [String: String], of element: @autoclosure () -> ModelElement) {
      guard !userInfo.isEmpty, let suppression = Suppression(userInfo, of: element(), in: file) else { return }
      all.append(suppression)
    }
    for entity in file.model.entities {
      func property(_ name: String) -> ModelElement { .property(entity: entity.name, name: name) }
      add(entity.userInfo, of: .entity(entity.name))
      for attribute in entity.attributes { add(attribute.userInfo, of: property(attribute.name)) }
      for relationship in entity.relationships { add(relationship.userInfo, of: property(relationship.name)) }
      for fetched in entity.fetchedProperties { add(fetched.userInfo, of: property(fetched.name)) }
    }
    return all
  }

  private init?(_ userInfo: [String: String], of element: ModelElement, in file: ModelFile) {
    guard let value = userInfo[Self.key] else { return nil }
    place = ModelPlace(path: file.path, element: element)
    location = file.location(of: element) ?? SourceLocation(file: file.path, line: 1, column: 1)
    rules = value.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }
}
