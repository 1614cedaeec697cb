public import Foundation
import ModelDescription

/// Two edits of one `contents` file, merged by what they mean: element by element and attribute by attribute.
///
/// Elements are known by their names; a renamed entity or property is known by its renaming identifier, and references
/// to it follow. What neither side touched keeps its bytes; inserted lines end as those of ours do. Comments and texts
/// that a model has no use for are merged as well. Of the diagram's layout, and of the version of the tools
/// that saved the file, one side's values are taken, as they mean nothing to a store.
public struct ContentsMerge: Hashable, Sendable {
  /// The merged text, in which disagreements stand between git's conflict markers.
  public let data: Data
  /// What the sides disagree about, in the order of the text; empty when the merge is clean.
  public let conflicts: [MergeConflict]

  /// Merges.
  ///
  /// - Parameters:
  ///   - base: the common ancestor; empty when both sides added the file.
  ///   - ours: one side, whose text is the basis.
  ///   - theirs: the other side.
  ///   - paths: how messages name the three.
  /// - Throws: ``ModelFileError`` when one of the three is no model.
  public init(
    base: Data, ours: Data, theirs: Data, paths: (base: String, ours: String, theirs: String)
  ) throws(ModelFileError) {
    let our = try Self.source(ours, path: paths.ours)
    let their = try Self.source(LineEnds.matching(theirs, to: ours), path: paths.theirs)
    let baseSource = base.isEmpty ? nil : try Self.source(base, path: paths.base)
    var merger: ContentsMerger
    if let baseSource {
      let followed = try Self.following(baseSource, our, their, paths.base)
      merger = ContentsMerger(ours: followed.ours, theirs: followed.theirs)
      merger.run(base: followed.base)
    } else {
      merger = ContentsMerger(ours: our, theirs: their)
      merger.run(base: nil)
    }
    let bytes = merger.output.bytes
    data = Data(bytes)
    var found = Self.placed(merger)
    if found.isEmpty {
      found = try Self.declaredTwice(data, ours: ours, theirs: theirs, path: paths.ours)
      let known = Set((MergedIdentifiers(our.root).shared + MergedIdentifiers(their.root).shared).map(\.key))
      let merged = try MarkupSource(data, path: paths.ours)
      for shared in MergedIdentifiers(merged.root).shared where !known.contains(shared.key) {
        let line = 1 + merged.bytes[..<shared.offset].count { $0 == UInt8(ascii: "\n") }
        let cause = MergeConflict.Cause.sameIdentifier(shared.identifier, other: shared.other)
        found.append(MergeConflict(element: shared.name, cause: cause, line: line))
      }
    }
    conflicts = found
  }

  /// Merges files, of which the base may be empty.
  ///
  /// - Parameters:
  ///   - base: the path of the common ancestor.
  ///   - ours: the path of one side; the file is not written.
  ///   - theirs: the path of the other side.
  ///   - name: how messages call our side; the three by their paths otherwise.
  /// - Returns: the merge.
  /// - Throws: ``ModelFileError``.
  public static func read(
    baseAt base: String, oursAt ours: String, theirsAt theirs: String, name: String?
  ) throws(ModelFileError) -> ContentsMerge {
    var baseData = Data()
    do {
      baseData = try FileBytes.read(base)
    } catch {
      guard case .empty = error else { throw error }
    }
    return try ContentsMerge(
      base: baseData, ours: try FileBytes.read(ours), theirs: try FileBytes.read(theirs),
      paths: name.map { ("\($0), base", $0, "\($0), theirs") } ?? (base, ours, theirs))
  }

  private static func source(_ data: Data, path: String) throws(ModelFileError) -> MarkupSource {
    _ = try ContentsReader.read(data, path: path)
    return try MarkupSource(data, path: path)
  }

  /// The three with every reference following what the others renamed.
  private static func following(
    _ base: MarkupSource, _ ours: MarkupSource, _ theirs: MarkupSource, _ path: String
  ) throws(ModelFileError) -> (base: MarkupSource, ours: MarkupSource, theirs: MarkupSource) {
    let fingerprints = Fingerprints()
    let baseNode = MergeNode(base, fingerprints)
    let own = MergeRenames(ofBase: baseNode)
    let ourRenames = MergeRenames(MergeNode(ours, fingerprints), since: baseNode)
    let theirRenames = MergeRenames(MergeNode(theirs, fingerprints), since: baseNode)
    func followed(
      _ source: MarkupSource, _ names: MergeRenames, _ other: MergeRenames
    ) throws(ModelFileError) -> MarkupSource {
      other.isEmpty ? source : try MarkupSource(Data(names.following(other, in: source)), path: path)
    }
    return (
      try followed(try followed(base, own, ourRenames), own, theirRenames),
      try followed(ours, ourRenames, theirRenames), try followed(theirs, theirRenames, ourRenames)
    )
  }

  /// The conflicts with the lines of their markers.
  private static func placed(_ merger: ContentsMerger) -> [MergeConflict] {
    let bytes = merger.output.bytes
    var lines: [Int] = []
    var (position, line) = (0, 1)
    for marker in merger.output.markers {
      line += bytes[position..<marker].count { $0 == UInt8(ascii: "\n") }
      position = marker
      lines.append(line)
    }
    return merger.conflicts.map { conflict, marker in
      var conflict = conflict
      if lines.indices.contains(marker) { conflict.line = lines[marker] }
      return conflict
    }
  }

  /// Names that the merged model declares twice and neither side did: each brought its own by another way.
  private static func declaredTwice(
    _ data: Data, ours: Data, theirs: Data, path: String
  ) throws(ModelFileError) -> [MergeConflict] {
    let known = Set(
      (try ContentsReader.read(ours, path: path).redeclarations + ContentsReader.read(theirs, path: path).redeclarations)
        .map(\.element))
    return try ContentsReader.read(data, path: path).redeclarations.filter { !known.contains($0.element) }
      .map { MergeConflict(element: "\($0.element)", cause: .declaredTwice, line: $0.location.line) }
  }
}

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

  /// Two of one name are reported as such.
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
