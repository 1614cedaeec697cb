/// Reads property lists from files.
enum PropertyListFile {
  static func read(_ path: String) throws(ModelFileError) -> PropertyList {
    let data = try FileBytes.read(path)
    do {
      return try PropertyList(decoding: data, path: path)
    } catch {
      if case .badXML(let cause) = error { throw cause }
      throw .brokenPropertyList(path: path, reason: error.description)
    }
  }
}
