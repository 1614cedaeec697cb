import Foundation
import GRDB
import Testing

/// A file that is not a valid store, how to create it from a valid store, and the program's message.
struct BadStore: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The message after the path.
  let cause: String
  /// The advice in the second line of the message, or a part of it.
  let advice: String
  /// The message of a command that takes a model; nil if it is the same.
  let wordsAsModel: [String]?
  /// Creates the file at this path of a valid store.
  let make: @Sendable (URL) throws -> Void

  init(
    _ name: String, cause: String, advice: String, wordsAsModel: [String]? = nil,
    make: @escaping @Sendable (URL) throws -> Void
  ) {
    testDescription = name
    self.wordsAsModel = wordsAsModel
    self.cause = cause
    self.advice = advice
    self.make = make
  }

  private init(_ name: String, bytes: Data, cause: String, advice: String, wordsAsModel: [String]? = nil) {
    self.init(name, cause: cause, advice: advice, wordsAsModel: wordsAsModel) { try bytes.write(to: $0) }
  }

  private init(_ name: String, sql: String, arguments: StatementArguments = [], cause: String, advice: String) {
    self.init(name, cause: cause, advice: advice) { file in
      let queue = try DatabaseQueue(path: file.path)
      try queue.writeWithoutTransaction { try $0.execute(sql: sql, arguments: arguments) }
      try queue.close()
    }
  }

  private static func metadata(_ name: String, plist: Data, cause: String) -> BadStore {
    BadStore(
      name, sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [plist], cause: cause, advice: "from a backup")
  }

  static let all: [BadStore] = [
    BadStore(
      "text", bytes: Data("Dear diary,\n".utf8), cause: "this is a text file",
      advice: "Give the path of an SQLite store",
      wordsAsModel: ["error: shop.sqlite: neither a model nor an SQLite store\n  Name a version"]),
    BadStore(
      "empty", bytes: Data(), cause: "the file is empty", advice: "Restore it from a backup",
      wordsAsModel: ["error: shop.sqlite: the file is empty\n  Restore it:"]),
    BadStore(
      "XML in UTF-16",
      bytes: Data([0xFF, 0xFE]) + Data("<?xml version=\"1.0\"?><database/>".utf8.flatMap { [$0, 0] }),
      cause: "this is an XML file", advice: "  modelctl show ",
      wordsAsModel: ["error: shop.sqlite:1:22: the root element is <database> instead of <model>"]),
    BadStore(
      "XML", bytes: Data("<?xml version=\"1.0\"?><database/>".utf8), cause: "this is an XML file",
      advice: "  modelctl show ",
      wordsAsModel: ["error: shop.sqlite:1:22: the root element is <database> instead of <model>"]),
    BadStore(
      "another SQLite database", sql: "DROP TABLE Z_METADATA",
      cause: "this is an SQLite database, not a Core Data store",
      advice: "  sqlite3 shop.sqlite .tables"),
    BadStore("cut off", cause: "the store is truncated: it has 8192 bytes", advice: "Restore it from a backup") {
      file in
      try Data(contentsOf: file).prefix(8192).write(to: file)
    },
    BadStore("overwritten", cause: "the store is corrupt: ", advice: "Restore it from a backup") { file in
      var bytes = try Data(contentsOf: file)
      bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xA5, count: 3996))
      try bytes.write(to: file)
    },
    BadStore(
      "encrypted", bytes: Data((0..<8192).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }),
      cause: "this is not a plain SQLite file; it may be an encrypted store", advice: "Decrypt it first"),
    BadStore(
      "no metadata", sql: "DELETE FROM Z_METADATA", cause: "the store's metadata is missing: Z_METADATA has no row",
      advice: "from a backup"),
    metadata(
      "broken property list", plist: Data("bplist00 that is none".utf8),
      cause: "the store's metadata is not a valid property list: "),
    metadata("property list cut off", plist: Data("bplist00".utf8), cause: "the store's metadata is not a valid"),
    metadata(
      "nested too deep", plist: nested(depth: 100_000), cause: "the store's metadata is not a valid property list: "),
    metadata(
      "counts beyond the end",
      plist: Data("bplist00".utf8) + Data([0xDF, 0x13] + Array(repeating: 0x7F, count: 8))
        + trailer(objects: 1, table: 18),
      cause: "the store's metadata is not a valid property list: "),
    metadata(
      "an object within itself",
      plist: Data("bplist00".utf8) + Data([0xA1, 0x00, 0x08]) + trailer(objects: 1, table: 10),
      cause: "the store's metadata is not a valid property list: "),
  ]

  /// An XML property list of dictionaries inside each other.
  private static func nested(depth: Int) -> Data {
    let open = String(repeating: "<dict><key>a</key>", count: depth)
    let close = String(repeating: "</dict>", count: depth)
    return Data("<?xml version=\"1.0\"?><plist version=\"1.0\">\(open)\(close)</plist>".utf8)
  }

  /// The end of a binary property list with offsets and references of one byte.
  private static func trailer(objects: UInt8, table: UInt8) -> Data {
    Data([0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, objects] + Array(repeating: 0, count: 15) + [table])
  }
}
