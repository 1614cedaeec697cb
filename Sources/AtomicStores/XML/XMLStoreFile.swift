import Foundation
import ModelFiles
import PersistentStores

/// The elements of an XML store and its head.
struct XMLStoreFile {
  /// The number in every store, XML or binary.
  static let version: Int64 = 134_481_920
  static let byteLimit = 256 << 20
  static let elementLimit = 5_000_000

  let path: String
  let objects: [MarkupElement]
  private let root: MarkupElement
  private let head: MarkupElement

  init(_ bytes: Data, path: String) throws {
    do {
      let root = try MarkupReader.read(bytes, path: path, byteLimit: Self.byteLimit, elementLimit: Self.elementLimit)
      try self.init(root, path: path)
    } catch let error as ModelFileError {
      throw StoreDocumentError(error, path: path)
    }
  }

  /// Creates a file from the head of a store whose objects are read one at a time; nil for another element.
  init?(head: MarkupElement, path: String) {
    guard head.name == "databaseInfo" else { return nil }
    (self.path, root, self.head, objects) = (path, head, head, [])
  }

  /// Creates a file from the elements of a store.
  private init(_ root: MarkupElement, path: String) throws {
    (self.path, self.root) = (path, root)
    guard root.name == "database" else {
      throw Self.error(path, root, .malformed("the root element is <\(root.name)> instead of <database>"))
    }
    guard let head = root.children.first(where: { $0.name == "databaseInfo" }) else {
      throw Self.error(path, root, .malformed("the store has no <databaseInfo>"))
    }
    self.head = head
    if let other = root.children.first(where: { !["databaseInfo", "object"].contains($0.name) }) {
      throw Self.error(path, other, .malformed("<\(other.name)> is not part of a store"))
    }
    objects = root.children(named: "object")
  }

  /// A store's head as a store without objects; nil if the end of the head cannot be found, as in UTF-16.
  static func head(of bytes: Data) -> Data? {
    bytes.range(of: headEnd).map { bytes[..<$0.upperBound] + Data("</database>".utf8) }
  }

  static let headEnd = Data("</databaseInfo>".utf8)

  /// The last used identifier; 0 if the file does not record it.
  func highest() throws -> Int64 {
    guard let element = head.children.first(where: { $0.name == "nextObjectID" }) else { return 0 }
    guard let number = Int64(element.text.trimmingCharacters(in: .whitespacesAndNewlines)), number >= 0 else {
      throw error(element, .malformed("“\(element.text)” is not a valid number for <nextObjectID>"))
    }
    return number
  }

  /// The metadata of the store, with the entries for the numbering of keys.
  func fullMetadata() throws -> StoreMetadata {
    guard let uuid = head.children.first(where: { $0.name == "UUID" }) else {
      throw error(head, .metadata("the store has no <UUID>"))
    }
    guard let holder = head.children.first(where: { $0.name == "metadata" }), let list = holder.children.first else {
      throw error(head, .metadata("the store has no <metadata>"))
    }
    let entries: PropertyList
    do {
      entries = try PropertyList(decoding: list)
    } catch {
      guard case .badElement(let location, let name) = error else {
        throw self.error(list, .metadata("the metadata is not a property list"))
      }
      throw StoreDocumentError(
        path: path, .line(location.line, column: location.column),
        .metadata("<\(name)> is not a value of a property list"))
    }
    guard let entries = entries.dictionary else { throw error(list, .metadata("the metadata is not a dictionary")) }
    do {
      return try StoreMetadata(
        uuid: uuid.text.trimmingCharacters(in: .whitespacesAndNewlines), entries: entries, path: path)
    } catch {
      throw StoreDocumentError(error, path: path, at: Self.location(of: list))
    }
  }

  /// The metadata of the store.
  func metadata() throws -> StoreMetadata { try numbered().metadata }

  /// The metadata, and how its identifiers become keys.
  func numbered() throws -> (metadata: StoreMetadata, numbering: KeyNumbering) {
    let full = try fullMetadata()
    var entries = full.entries
    let numbering = KeyNumbering(taking: &entries)
    do {
      return (try StoreMetadata(uuid: full.uuid, entries: entries, path: path), numbering)
    } catch {
      throw StoreDocumentError(error, path: path, at: Self.location(of: head))
    }
  }

  func error(_ element: MarkupElement, _ finding: StoreDocumentError.Finding) -> StoreDocumentError {
    Self.error(path, element, finding)
  }

  private static func error(
    _ path: String, _ element: MarkupElement, _ finding: StoreDocumentError.Finding
  ) -> StoreDocumentError {
    StoreDocumentError(path: path, location(of: element), finding)
  }

  private static func location(of element: MarkupElement) -> StoreDocumentError.Location {
    .line(element.location.line, column: element.location.column)
  }

  func text(_ name: String, of element: MarkupElement) throws -> String {
    guard let text = element[attribute: name] else {
      throw error(element, .malformed("<\(element.name)> has no \(name)=\"…\""))
    }
    return text
  }

  /// Refuses text in an element that may contain only elements.
  func checkHoldsElements(_ element: MarkupElement) throws {
    if element.text.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return }
    let text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard text.isEmpty else {
      throw error(
        element, .malformed("<\(element.name)> contains the text “\(text.prefix(40))”, but may contain only elements"))
    }
  }

  /// Refuses elements in an element that may contain only text.
  func checkHoldsText(_ element: MarkupElement) throws {
    guard let child = element.children.first else { return }
    throw error(child, .malformed("<\(element.name)> contains <\(child.name)>, but may not contain elements"))
  }

  /// The number of an identifier such as `z102`.
  func identifier(_ text: some StringProtocol, at element: MarkupElement) throws -> Int64 {
    guard text.hasPrefix("z"), let number = Int64(text.dropFirst()), number > 0 else {
      throw error(element, .malformed("“\(text.prefix(40))” is not an identifier such as z102"))
    }
    return number
  }
}
