public import Foundation
import ModelDescription

/// Two edits of one `contents` file, merged element by element and attribute by attribute.
///
/// Elements are identified by their names, or by their renaming identifiers after a rename; references to renamed
/// elements are updated. Unedited parts keep their bytes, and inserted lines end as those of ours do. Comments and
/// unknown texts are merged too. For the diagram's layout, and the version of the tools that saved the file, one side's
/// values are used, as a store does not depend on them.
public struct ContentsMerge: Hashable, Sendable {
  /// The merged text, with disagreements between git's conflict markers.
  public let data: Data
  /// The disagreements of the sides, in the order of the text; empty if the merge is clean.
  public let conflicts: [MergeConflict]

  /// Merges.
  ///
  /// - Parameter base: the common ancestor; empty if both sides added the file.
  /// - Throws: ``ModelFileError`` if one of the three is not a model.
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

  /// Merges files; the base may be empty.
  ///
  /// - Parameters:
  ///   - ours: the path of one side; the file is not written.
  ///   - name: the name of our side in messages (default: the path).
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

  /// Names that the merged model declares twice and neither side did: each brought its own by a different way.
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
    /// The offset of its tag.
    let offset: Int

    /// The key of the element in every text of the same model.
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

  /// Two of a single name are reported as such.
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

/// How a text ends its lines: as its first line does.
enum LineEnds {
  private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

  /// The bytes at the end of the first line; nil for a text of a single line.
  static func first(in data: some Collection<UInt8>) -> [UInt8]? {
    guard let end = data.firstIndex(of: lineFeed) else { return nil }
    return data[..<end].suffix(1).first == carriageReturn ? [carriageReturn, lineFeed] : [lineFeed]
  }

  /// A text with the line ends of a different text; the same text if one of the two has no line end.
  static func matching(_ data: Data, to other: Data) -> Data {
    guard let old = first(in: data), let wanted = first(in: other), old != wanted else { return data }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count)
    for byte in data {
      if byte == lineFeed {
        if bytes.last == carriageReturn { bytes.removeLast() }
        bytes += wanted
      } else {
        bytes.append(byte)
      }
    }
    return Data(bytes)
  }
}

/// The renames of one side of a merge, which are applied to the references of the other side.
struct MergeRenames {
  private struct Property: Hashable {
    let entity: String
    let name: String
  }

  /// The base's name of each entity of this side that continues one.
  private var baseNames: [String: String] = [:]
  private var entities: [String: String] = [:]
  private var properties: [Property: String] = [:]

  init(_ side: MergeNode, since base: MergeNode) {
    let (sides, bases) = (Self.entities(side), Self.entities(base))
    for (entity, match) in zip(sides, MergeNode.matches(sides, in: bases)) {
      guard let baseEntity = match.map({ bases[$0] }), let name = entity.node.filled("name"),
        let baseName = baseEntity.node.filled("name")
      else { continue }
      baseNames[name] = baseName
      if name != baseName { entities[baseName] = name }
      for (child, match) in zip(entity.children, MergeNode.matches(entity.children, in: baseEntity.children)) {
        guard child.isIdentifiable, let match, let name = child.node.filled("name"),
          let old = baseEntity.children[match].node.filled("name"), name != old
        else { continue }
        properties[Property(entity: baseName, name: old)] = name
      }
    }
  }

  private static func entities(_ model: MergeNode) -> [MergeNode] { model.children.filter { $0.node.name == "entity" } }

  /// The base, whose entities have their own names.
  init(ofBase base: MergeNode) {
    for entity in Self.entities(base) {
      if let name = entity.node.filled("name") { baseNames[name] = name }
    }
  }

  var isEmpty: Bool { entities.isEmpty && properties.isEmpty }

  /// Lets references in a document of this side follow what another side renamed.
  func following(_ other: MergeRenames, in source: MarkupSource) -> [UInt8] {
    guard !other.isEmpty else { return source.bytes }
    var edits: [ByteEdit] = []
    follow(other, source.root, entity: nil, inLayout: false, &edits)
    return ByteEdit.apply(edits, to: source.bytes)
  }

  private func follow(
    _ other: MergeRenames, _ node: MarkupNode, entity: String?, inLayout: Bool, _ edits: inout [ByteEdit]
  ) {
    func edit(_ attribute: String, _ rename: (String) -> String?) {
      guard let place = node.attributes.first(where: { $0.name == attribute }), let name = rename(place.value) else {
        return
      }
      edits.append(ByteEdit(place.range, "\(attribute)=\"\(XMLText.attribute(name))\"".utf8))
    }
    let toEntity = { (name: String) in self.entity(name, in: other) }
    switch node.name {
    case "entity": edit("parentEntity", toEntity)
    case "relationship":
      edit("destinationEntity", toEntity)
      edit("inverseEntity", toEntity)
      if let inverse = node.filled("inverseEntity") { edit("inverseName") { property($0, of: inverse, in: other) } }
    case "fetchRequest": edit("entity", toEntity)
    case "memberEntity": edit("name", toEntity)
    case "element" where inLayout: edit("name", toEntity)
    case "fetchIndexElement": edit("property") { name in entity.flatMap { property(name, of: $0, in: other) } }
    case "constraint", "index": edit("value") { name in entity.flatMap { property(name, of: $0, in: other) } }
    default: break
    }
    let inside = node.name == "entity" ? node.filled("name") : entity
    for child in node.children { follow(other, child, entity: inside, inLayout: node.name == "elements", &edits) }
  }

  /// The other side's name of an entity that this side has not renamed.
  private func entity(_ name: String, in other: MergeRenames) -> String? {
    baseNames[name] == name ? other.entities[name] : nil
  }

  private func property(_ name: String, of entity: String, in other: MergeRenames) -> String? {
    guard let baseName = baseNames[entity], properties[Property(entity: baseName, name: name)] == nil else {
      return nil
    }
    return other.properties[Property(entity: baseName, name: name)]
  }
}
