import ModelDescription

extension Rule {
  static let caseClash = Rule(
    id: "case-clash",
    severity: .error,
    purpose: "Names differ by more than case, because tables and columns are named in capitals.",
    explanation: """
      SQLite takes names in any case for the same, and Core Data writes tables and columns in capitals. Two names \
      that only case tells apart would share a table or a column, and the store cannot be made. Rename one of them; \
      in a model that users have, give the renamed one its former name as renaming identifier.
      """
  ) { index in
    let entities = clashes(index.entityNames).map { name, earlier in
      RuleIssue(
        .entity(name), "entities \(earlier) and \(name) differ only by case and would share a table",
        fix: "rename one of them")
    }
    let properties = index.model.entities.flatMap { entity in
      clashes(entity.propertyNames).map { name, earlier in
        RuleIssue(
          .property(entity: entity.name, name: name),
          "properties \(earlier) and \(name) of \(entity.name) differ only by case and would share a column",
          fix: "rename one of them")
      }
    }
    return entities + properties
  }

  /// Every name that only case tells from an earlier one, with that one; equal names are another rule's.
  private static func clashes(_ names: [String]) -> [(name: String, earlier: String)] {
    var first: [String: String] = [:]
    var seen: Set<String> = []
    return names.compactMap { name in
      guard seen.insert(name).inserted else { return nil }
      let capitals = name.uppercased()
      guard let earlier = first[capitals] else {
        first[capitals] = name
        return nil
      }
      return (name, earlier)
    }
  }
}
