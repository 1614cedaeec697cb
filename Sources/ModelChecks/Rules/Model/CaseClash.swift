import ModelDescription

extension Rule {
  static let caseClash = Rule(
    id: "case-clash",
    severity: .error,
    purpose: "Names must differ in more than upper and lower case.",
    explanation: """
      SQLite ignores case in names, and Core Data writes table and column names in capitals. Two names that differ \
      only in case would share a table or column, so Core Data cannot create the store. Rename an element. If you \
      released the model, give its earlier name as renaming identifier.
      """
  ) { index in
    let entities = clashes(index.entityNames).map { name, earlier in
      RuleFinding(
        .entity(name), "entities \(earlier) and \(name) differ only in case and would share a table",
        fix: "rename either entity", edits: [["rename", name, "NAME"]])
    }
    let properties = index.model.entities.flatMap { entity in
      clashes(entity.propertyNames).map { name, earlier in
        RuleFinding(
          .property(entity: entity.name, name: name),
          "properties \(earlier) and \(name) of \(entity.name) differ only in case and would share a column",
          fix: "rename either property",
          edits: [["rename", "\(ModelElement.property(entity: entity.name, name: name))", "NAME"]])
      }
    }
    return entities + properties
  }

  /// False when no two names can be equal in capitals.
  ///
  /// It compares hashes that ignore the case of ASCII letters; any other letter gives true.
  private static func mayClash(_ names: [String]) -> Bool {
    var seen: Set<UInt64> = []
    for name in names {
      var number: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in name.utf8 {
        guard byte < 0x80 else { return true }
        number = (number ^ UInt64(byte & 0xDF)) &* 0x100_0000_01b3
      }
      guard seen.insert(number).inserted else { return true }
    }
    return false
  }

  /// Every name that differs only in case from an earlier name, with that name; equal names belong to a different rule.
  private static func clashes(_ names: [String]) -> [(name: String, earlier: String)] {
    guard mayClash(names) else { return [] }
    var first: [String: String] = [:]
    var reported: Set<String> = []
    return names.compactMap { name in
      let capitals = name.uppercased()
      guard let earlier = first.updateValue(name, forKey: capitals) else { return nil }
      first[capitals] = earlier
      return earlier != name && reported.insert(name).inserted ? (name, earlier) : nil
    }
  }
}
