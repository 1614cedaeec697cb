import ModelDescription
import ModelFiles
import PersistentStores
import StoreMigration
import Testing

/// The versions that a store of several bundles passes.
@Suite("The path of a merged model")
struct UnionPathTests {
  /// The versions of a bundle, each given as its entities and their attribute.
  private static func bundle(_ name: String, _ versions: [[String: String]]) -> [LoadedVersion] {
    versions.enumerated().compactMap { position, entities in
      let model = ManagedObjectModel(
        entities: entities.sorted { $0.key < $1.key }.map { .entity($0.key, [.optional($0.value)]) })
      return try? LoadedVersion(
        bundle: "\(name).xcdatamodeld", name: "v\(position + 1)", isCurrent: position == versions.count - 1,
        model: model)
    }
  }

  private static func path(_ bundles: [[LoadedVersion]], from start: [Int]? = nil, to end: [Int]? = nil) throws
    -> [String]
  {
    let union = { (positions: [Int]) in
      try LoadedVersion(merging: zip(bundles, positions).map { $0[$1 - 1] })
    }
    let destination = try union(end ?? bundles.map(\.count))
    return UnionPath(bundles).versions(from: try start.map(union), to: destination).map(\.name)
  }

  @Test("Every bundle takes its own steps, one bundle after another")
  func steps() throws {
    let bundles = [
      Self.bundle("A", [["Order": "a"], ["Order": "b"], ["Order": "c"]]),
      Self.bundle("B", [["Note": "a"], ["Note": "b"]]),
    ]
    #expect(
      try Self.path(bundles) == ["A@v1 + B@v1", "A@v2 + B@v1", "A@v3 + B@v1", "A@v3 + B@v2"])
    #expect(try Self.path(bundles, from: [2, 1]) == ["A@v2 + B@v1", "A@v3 + B@v1", "A@v3 + B@v2"])
    #expect(try Self.path(bundles, from: [3, 2]) == ["A@v3 + B@v2"])
    #expect(try Self.path(bundles, from: [3, 2], to: [1, 2]) == ["A@v3 + B@v2", "A@v1 + B@v2"])
  }

  @Test("There are as many versions as steps, not as combinations")
  func size() throws {
    let bundles = (0..<4).map { bundle in
      Self.bundle("B\(bundle)", (0..<30).map { ["Entity\(bundle)": "a\($0)"] })
    }
    #expect(try Self.path(bundles).count == 4 * 29 + 1)
  }

  @Test("An entity that two bundles share changes in both at once")
  func shared() throws {
    let bundles = [
      Self.bundle("A", [["Tag": "a", "Order": "a"], ["Tag": "b", "Order": "a"]]),
      Self.bundle("B", [["Tag": "a", "Note": "a"], ["Tag": "a", "Note": "b"], ["Tag": "b", "Note": "b"]]),
    ]
    #expect(try Self.path(bundles) == ["A@v1 + B@v1", "A@v1 + B@v2", "A@v2 + B@v3"])
  }

  @Test("An entity that moves to another bundle is added before it is removed")
  func moved() throws {
    let equal = [
      Self.bundle("A", [["Tag": "a", "Order": "a"], ["Order": "a"]]),
      Self.bundle("B", [["Note": "a"], ["Note": "a", "Tag": "a"]]),
    ]
    #expect(try Self.path(equal) == ["A@v1 + B@v1", "A@v1 + B@v2", "A@v2 + B@v2"])
    let changed = [
      Self.bundle("A", [["Tag": "a", "Order": "a"], ["Order": "a"]]),
      Self.bundle("B", [["Note": "a"], ["Note": "a", "Tag": "b"]]),
    ]
    #expect(try Self.path(changed) == ["A@v1 + B@v1", "A@v2 + B@v2"])
  }

  @Test("A store of one bundle gets the others at the end")
  func added() throws {
    let bundles = [
      Self.bundle("A", [["Order": "a"], ["Order": "b"]]), Self.bundle("B", [["Note": "a"], ["Note": "b"]]),
    ]
    let destination = try LoadedVersion(merging: bundles.compactMap(\.last))
    let path = UnionPath(bundles).versions(from: bundles[0][0], to: destination)
    #expect(path.map(\.name) == ["v1", "v2", "A@v2 + B@v2"])
  }
}
