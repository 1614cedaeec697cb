public import ModelDescription
public import ModelFiles

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

/// An element of the model in a file.
struct ModelPlace: Hashable, Sendable {
  /// The path of the version's file.
  let path: String
  let element: ModelElement

  /// The place itself, then the entity that holds it.
  var withHolder: [ModelPlace] {
    switch element {
    case .property(let entity, _), .fetchIndex(let entity, _), .compoundIndex(let entity, _),
      .uniquenessConstraint(let entity, _):
      [self, ModelPlace(path: path, element: .entity(entity))]
    default: [self]
    }
  }
}

/// Findings without those that userInfo entries silence, and the entries that silence nothing.
struct SuppressedFindings {
  let findings: [Finding]
  /// The entries that silence nothing, each with the rule.
  let unused: [(suppression: Suppression, rule: String)]

  /// Takes the silenced findings out.
  ///
  /// - Parameter rules: the ids of the rules that were applied, of which alone an entry can be unused.
  init(_ findings: [Finding], by suppressions: [Suppression], rules: Set<String>) {
    var entries: [Entry: Int] = [:]
    for (position, suppression) in suppressions.enumerated() {
      for rule in suppression.rules { entries[Entry(place: suppression.place, rule: rule)] = position }
    }
    var used: Set<Entry> = []
    self.findings = findings.filter { finding in
      let own = finding.location.map { [ModelPlace(path: $0.file, element: finding.element)] } ?? []
      let places = (own + finding.silencers).flatMap(\.withHolder)
      let hits = places.map { Entry(place: $0, rule: finding.rule) }.filter { entries[$0] != nil }
      used.formUnion(hits)
      return hits.isEmpty
    }
    unused = suppressions.flatMap { suppression in
      suppression.rules.filter { rules.contains($0) && !used.contains(Entry(place: suppression.place, rule: $0)) }
        .map { (suppression, $0) }
    }
  }

  /// What is silenced where.
  private struct Entry: Hashable {
    let place: ModelPlace
    let rule: String
  }
}

/// A suppression that names what is no rule.
public struct SuppressionError: Error, Hashable, Sendable {
  /// The rule that is not there.
  public let rule: UnknownRule
  /// The element that the entry belongs to.
  public let element: ModelElement
  /// Where the element stands.
  public let location: SourceLocation
}

extension SuppressionError: CustomStringConvertible {
  /// The place, the entry, and what to write instead.
  public var description: String { "\(location): the userInfo entry “\(Suppression.key)” of \(element): \(rule)" }
}
