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

  private func store(
    _ stream: JSONStream, _ head: inout LoadSource.Head, _ body: (TextObject) throws -> Void
  ) throws {
    let start = stream.location
    var keys: Set<String> = []
    try stream.forEachMember { key, location in
      keys.insert(key)
      switch key {
      case "format":
        guard try stream.value().integer() == JSONStoreText.format else {
          throw JSONFileError(.wrongValue("this is no format that this program reads; it reads 1"), at: location)
        }
      case "metadata":
        head.metadata = (try JSONStoreMetadata.read(try stream.value(), path: path), location)
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
