package import Foundation

/// An archive of `NSKeyedArchiver`: a flat table of objects that refer to each other.
package struct KeyedArchive: Sendable {
  let objects: [PropertyList]
  private let top: [String: PropertyList]

  /// Decodes the table; no object is followed yet.
  package init(_ data: Data, path: String) throws(ModelFileError) {
    let list: PropertyList
    do {
      list = try PropertyList(decoding: data, path: path)
    } catch {
      throw .brokenPropertyList(path: path, reason: error.description)
    }
    guard let values = list.dictionary, let objects = values["$objects"]?.array, let top = values["$top"]?.dictionary
    else { throw .brokenArchive(path: path, reason: "it is a property list, but no keyed archive") }
    self.objects = objects
    self.top = top
  }

  /// The object the archive was made of.
  package var root: ArchivedObject? {
    (top["root"] ?? top["$0"]).flatMap { ArchivedObject($0, in: self) }
  }
}
