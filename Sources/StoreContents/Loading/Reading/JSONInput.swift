import AtomicStores
import ModelFiles

/// The objects of a JSON store, or of a list.
struct JSONInput {
  let path: String
  let entity: String?

  func read(_ body: (TextObject) throws -> Void) throws -> LoadSource.Head {
    let stream = try JSONStream(path, depthLimit: JSONStoreText.depthLimit)
    var head = LoadSource.Head()
    if try stream.start() == UInt8(ascii: "[") {
      try stream.forEachElement { try body(JSONLines.object(try stream.value(), entity)) }
    } else {
      try store(stream, &head, body)
    }
    try stream.finish()
    return head
  }

  private func store(_ stream: JSONStream, _ head: inout LoadSource.Head, _ body: (TextObject) throws -> Void) throws {
    let start = stream.location
    var keys: Set<String> = []
    try stream.forEachMember { key, location in
      keys.insert(key)
      switch key {
      case "format":
        guard try stream.value().integer() == JSONStoreText.format else {
          throw JSONFileError(.wrongValue("this format is not supported; the supported format is 1"), at: location)
        }
      case "metadata": head.metadata = (try JSONStoreMetadata.read(try stream.value(), path: path), location)
      case "lastKeys":
        for member in try stream.value().object().members {
          head.lastKeys.append((member, Int64(try member.value.integer())))
        }
      case "objects":
        try stream.forEachMember { entity, place in
          try stream.forEachElement {
            let node = try stream.value()
            try body(
              TextObject(
                entity: (entity, place), members: try node.object().members, location: node.location, isComplete: true))
          }
        }
      default:
        throw JSONFileError(.unknownKey(key, known: ["format", "metadata", "lastKeys", "objects"]), at: location)
      }
    }
    for key in ["format", "metadata", "objects"] where !keys.contains(key) {
      throw JSONFileError(.missingKey(key), at: start)
    }
  }
}

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
      let node = try JSONReader.read(Array(line), from: start, depthLimit: JSONStoreText.depthLimit, valueLimit: .max)
      try body(Self.object(node, entity))
    }
  }

  /// An object that names its entity, or an object of the default entity.
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
