import ModelComparison
import ModelDescription
import Testing

@Suite("Pairing by canonical names")
struct PairingTests {
  /// The pairs that attributes of one entity make, as `new ← old`.
  private func pairs(
    _ former: [(String, String?)],
    _ latter: [(String, String?)]
  ) throws -> (pairs: [String], ambiguities: [[String]]) {
    func hierarchy(_ names: [(String, String?)]) throws -> EntityHierarchy {
      try EntityHierarchy(
        ManagedObjectModel(entities: [
          EntityDescription(
            name: "E",
            attributes: names.map { AttributeDescription(name: $0, type: .string, renamingIdentifier: $1) }
          )
        ])
      )
    }
    let pairing = EntityPairing(from: try hierarchy(former), to: try hierarchy(latter)).attributes(ofDestination: "E")
    return (pairing.sourceNames.map { "\($0) ← \($1)" }.sorted(), pairing.ambiguities.map(\.destinations))
  }

  @Test("a chain of renames keeps the first name as identifier: every older version is continued")
  func chain() throws {
    #expect(try pairs([("b", "a")], [("c", "a")]).pairs == ["c ← b"])
    #expect(try pairs([("a", nil)], [("c", "a")]).pairs == ["c ← a"])
  }

  @Test("an identifier that names the previous name continues that version only")
  func previousName() throws {
    #expect(try pairs([("b", "a")], [("c", "b")]).pairs == ["c ← b"])
    #expect(try pairs([("a", nil)], [("c", "b")]).pairs == [])
  }

  @Test("identifiers that match nothing fall back to names")
  func fallback() throws {
    #expect(try pairs([("sites", "G1")], [("sites", "G2")]).pairs == ["sites ← sites"])
    #expect(try pairs([("b", "a")], [("b", nil)]).pairs == ["b ← b"])
    #expect(try pairs([("b", "a")], [("a", "x")]).pairs == ["a ← b"])
    #expect(try pairs([("a", nil)], [("b", "")]).pairs == [])
  }

  @Test("the former's own spelling is kept, whether anything has an identifier or not")
  func spelling() throws {
    for other in [("x", nil), ("x", "y")] as [(String, String?)] {
      let pair = try #require(try pairs([("e\u{301}", nil)], [("\u{E9}", nil), other]).pairs.first)
      #expect(pair.utf8.elementsEqual("\u{E9} ← e\u{301}".utf8))
    }
  }

  @Test("two claims on one name are ambiguous")
  func ambiguous() throws {
    let result = try pairs([("a", nil)], [("a", nil), ("b", "a")])
    #expect(result.ambiguities == [["a", "b"]])
    #expect(try pairs([("a", "x"), ("b", "x")], [("c", "x")]).ambiguities == [["c"]])
    #expect(try pairs([("q", nil)], [("c", "x"), ("d", "x")]).ambiguities == [])
  }

  @Test("the previous name as identifier is reported")
  func previousNameHint() throws {
    func model(_ name: String, _ identifier: String) -> ManagedObjectModel {
      ManagedObjectModel(entities: [
        EntityDescription(
          name: "E",
          attributes: [AttributeDescription(name: name, type: .string, renamingIdentifier: identifier)]
        )
      ])
    }
    #expect(
      try ModelDifference(from: model("b", "a"), to: model("c", "b")).hints == [
        .identifierNamesPreviousName(
          element: .property(entity: "E", name: "c"),
          identifier: "b",
          canonicalName: "a"
        )
      ]
    )
  }
}
