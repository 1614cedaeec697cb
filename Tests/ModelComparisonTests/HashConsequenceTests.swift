import ModelComparison
import ModelDescription
import Testing
import VersionHashing

@Suite("A difference agrees with the hashes")
struct HashConsequenceTests {
  private let models: [ManagedObjectModel] = {
    let base = EntityDescription(
      name: "Base",
      attributes: [AttributeDescription(name: "title", type: .string, isOptional: true)],
      relationships: [
        RelationshipDescription(name: "peer", destinationEntityName: "Base", inverseName: "peer", maxCount: 1)
      ]
    )
    let leaf = EntityDescription(name: "Leaf", superentityName: "Base")
    func variant(_ change: (inout EntityDescription, inout EntityDescription) -> Void) -> ManagedObjectModel {
      var (first, second) = (base, leaf)
      change(&first, &second)
      return ManagedObjectModel(entities: [first, second])
    }
    return [
      variant { _, _ in },
      variant { base, _ in base.attributes[0].isOptional = false },
      variant { base, _ in base.attributes[0].isTransient = true },
      variant { base, _ in base.attributes[0].defaultValue = .string("x") },
      variant { base, _ in base.attributes[0].derivation = Derivation(expression: "peer.@count") },
      variant { base, _ in base.attributes[0].derivation = Derivation(expression: "count:(peer)") },
      variant { base, _ in
        base.attributes[0].derivation = Derivation(expression: "count:(peer)", filterPredicate: "title != nil")
      },
      variant { base, _ in
        base.attributes[0].derivation = Derivation(expression: "count:(peer)")
        base.attributes[0].isOptional = false
        base.attributes[0].name = "heading"
        base.attributes[0].renamingIdentifier = "title"
      },
      variant { base, _ in base.relationships[0].inverseName = nil },
      variant { base, _ in base.relationships[0].maxCount = 0 },
      variant { base, _ in base.relationships[0].maxCount = .max },
      variant { base, _ in base.relationships[0].maxCount = -1 },
      variant { base, _ in base.relationships[0].destinationEntityName = nil },
      variant { base, _ in base.relationships[0].isTransient = true },
      variant { base, _ in
        base.attributes[0] = AttributeDescription(
          name: "title",
          type: .composite,
          elements: [AttributeDescription(name: "x", type: .string)]
        )
      },
      variant { base, _ in
        base.attributes[0] = AttributeDescription(
          name: "heading",
          type: .composite,
          isOptional: true,
          elements: [AttributeDescription(name: "x", type: .string)],
          renamingIdentifier: "title"
        )
      },
      variant { base, _ in base.versionHashModifier = "m" },
      variant { base, _ in base.uniquenessConstraints = [["title"], []] },
      variant { base, _ in base.uniquenessConstraints = [[], ["title"]] },
      variant { base, _ in base.isAbstract = true },
      variant { _, leaf in leaf.superentityName = nil },
      variant { _, leaf in leaf.isAbstract = true },
      variant { _, leaf in leaf.attributes = [AttributeDescription(name: "title", type: .date)] },
      variant { base, leaf in
        leaf.attributes = base.attributes
        base.attributes = []
      },
      variant { base, leaf in
        leaf.relationships = [RelationshipDescription(name: "peer", destinationEntityName: "Base", isTransient: true)]
        base.relationships = []
      },
      variant { base, leaf in
        base.name = "Root"
        base.renamingIdentifier = "Base"
        base.relationships[0].destinationEntityName = "Root"
        leaf.superentityName = "Root"
      },
    ]
      + ["e\u{301}", "\u{E9}"].flatMap { accent in
        [
          variant { base, _ in base.attributes[0].name = "titl" + accent },
          variant { base, _ in base.relationships[0].name = "p" + accent },
          variant { base, _ in base.attributes[0].derivation = Derivation(expression: "count:(" + accent + ")") },
          variant { base, leaf in
            base.name = "Bas" + accent
            base.relationships[0].destinationEntityName = base.name
            leaf.superentityName = base.name
          },
        ]
      }
  }()

  @Test("swapped names keep the hash, and the changes show it")
  func swap() throws {
    func model(_ identifiers: (String?, String?), other: String) -> ManagedObjectModel {
      let attributes = [("x", identifiers.0), ("y", identifiers.1)].map { name, identifier in
        AttributeDescription(name: name, type: .string, isOptional: true, renamingIdentifier: identifier)
      }
      return ManagedObjectModel(entities: [
        EntityDescription(name: "A", attributes: attributes), EntityDescription(name: other),
      ])
    }
    let former = model((nil, nil), other: "B")
    try HashOracle.expectAgreement(from: former, to: model(("y", "x"), other: "B"), "swap")
    try HashOracle.expectAgreement(from: former, to: model(("y", "x"), other: "C"), "swap beside another change")
  }

  @Test("for every pair of fixtures")
  func fixtures() throws {
    var compared = 0
    for (position, former) in models.enumerated() {
      for (latterPosition, latter) in models.enumerated() {
        try HashOracle.expectAgreement(from: former, to: latter, "fixture \(position) → \(latterPosition)")
        compared += 1
      }
    }
    #expect(compared == models.count * models.count)
  }
}

/// Compares a difference's statements about hashes with the computed hashes.
enum HashOracle {
  static func expectAgreement(from former: ManagedObjectModel, to latter: ManagedObjectModel, _ place: String) throws {
    let difference = try ModelDifference(from: former, to: latter)
    let formerHashes = try VersionHashes(of: former).entities
    let latterHashes = try VersionHashes(of: latter).entities
    let changed = latterHashes.filter { formerHashes[$0.key] != $0.value }.keys.sorted()
    #expect(difference.entitiesWithNewHash == changed, "\(place)")
    #expect(difference.isSameVersion == (formerHashes == latterHashes), "\(place)")
    for name in changed where formerHashes[name] != nil {
      #expect(difference.changes(ofEntity: name).contains { $0.changesHash }, "no cause told for \(name): \(place)")
    }
    let unchanged = Set(latterHashes.keys).subtracting(changed)
    for name in unchanged {
      #expect(!difference.changes(ofEntity: name).contains { $0.changesHash }, "\(name) keeps its hash: \(place)")
    }
  }
}
