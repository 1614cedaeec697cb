import AtomicStores
import ModelFiles

/// An object of JSON a line; lines without anything are passed over.
struct JSONLines {
  let path: String
  let entity: String?

  func read(_ body: (TextObject) throws -> Void) throws {
    let bytes = try ByteStream(path)
    while true {
      let start = bytes.location
      guard let line = try bytes.nextLine(limit: JSONStream.valueSize) else { return }
      guard line.count <= JSONStream.valueSize else {
        throw JSONFileError(.wrongValue("a line has more than \(JSONStream.valueSize) bytes"), at: start)
      }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      let node = try JSONReader.read(
        Array(line), from: start, depthLimit: JSONStoreText.depthLimit, valueLimit: .max)
      try body(Self.object(node, entity))
    }
  }

  /// An object that names its entity, or one of an entity that is known.
  static func object(_ node: JSONNode, _ usual: String?) throws(JSONFileError) -> TextObject {
    let members = try node.object().members
    // A dollar sign keeps the word apart from a property of that name.
    let named = members.first { $0.key == "$entity" } ?? (usual == nil ? members.first { $0.key == "entity" } : nil)
    guard let named else {
      return TextObject(
        entity: usual.map { ($0, node.location) }, members: members, location: node.location, isComplete: true)
    }
    let rest = members.filter { $0.key != named.key }
    return TextObject(
      entity: (try named.value.string(), named.value.location), members: rest, location: node.location,
      isComplete: true)
  }
}
