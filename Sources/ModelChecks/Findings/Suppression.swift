public import ModelDescription
public import ModelFiles

/// A userInfo entry that ignores rules at its element.
struct Suppression: Hashable, Sendable {
  /// The key of the entry; its value contains rule ids, separated by spaces or commas.
  static let key = "modelctl.ignore"

  let place: ElementLocation
  /// The location of the element, because entries do not have their own.
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
    place = ElementLocation(path: file.path, element: element)
    location = file.location(of: element) ?? SourceLocation(file: file.path, line: 1, column: 1)
    rules = value.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }
}

/// An element of the model in a file.
struct ElementLocation: Hashable, Sendable {
  /// The path of the version's file.
  let path: String
  let element: ModelElement

  /// The element itself, then its entity.
  var withHolder: [ElementLocation] {
    switch element {
    case .property(let entity, _), .fetchIndex(let entity, _), .compoundIndex(let entity, _),
      .uniquenessConstraint(let entity, _):
      [self, ElementLocation(path: path, element: .entity(entity))]
    default: [self]
    }
  }
}

/// The findings that userInfo entries do not ignore, and the unused entries.
struct SuppressedFindings {
  let findings: [Finding]
  /// The unused entries, each with its rule.
  let unused: [(suppression: Suppression, rule: String)]

  /// Removes the ignored findings.
  ///
  /// - Parameter rules: the ids of the applied rules; only entries for these rules can be unused.
  init(_ findings: [Finding], by suppressions: [Suppression], rules: Set<String>) {
    var entries: [Entry: Int] = [:]
    for (position, suppression) in suppressions.enumerated() {
      for rule in suppression.rules { entries[Entry(place: suppression.place, rule: rule)] = position }
    }
    var used: Set<Entry> = []
    self.findings = findings.filter { finding in
      let own = finding.location.map { [ElementLocation(path: $0.file, element: finding.element)] } ?? []
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

  /// A rule that is ignored at an element.
  private struct Entry: Hashable {
    let place: ElementLocation
    let rule: String
  }
}

/// A suppression that names an unknown rule.
public struct SuppressionError: Error, Hashable, Sendable {
  /// The unknown rule.
  public let rule: UnknownRule
  /// The element of the entry.
  public let element: ModelElement
  /// The location of the element.
  public let location: SourceLocation
}

extension SuppressionError: AdvisedError {
  /// The location of the element.
  public var place: String? { "\(location)" }
  /// The entry, and the name that is not a rule.
  public var cause: String { "the userInfo entry “\(Suppression.key)” of \(element): \(rule.cause)" }
  /// The command that lists the rules, if no rule has a similar name.
  public var advice: Advice? { rule.advice }
}
