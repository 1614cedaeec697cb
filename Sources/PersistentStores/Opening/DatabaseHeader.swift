/// The first 100 bytes of an SQLite file, as far as they tell how to open it.
///
/// Source: “The Database Header” of SQLite's file format.
struct DatabaseHeader: Hashable, Sendable {
  /// The text every SQLite file begins with.
  static let magic = Array("SQLite format 3\0".utf8)

  /// Bytes a page.
  let pageSize: Int
  /// True when the file is in write-ahead-log mode.
  let usesWriteAheadLog: Bool
  /// The number of pages, nil when the writer did not keep it up to date.
  let pageCount: Int?
  /// What every transaction with a rollback journal changes.
  let changeCounter: [UInt8]

  /// Reads a header.
  ///
  /// - Returns: nil when these are not the first 100 bytes of a sound SQLite file.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 100, Array(bytes.prefix(16)) == Self.magic else { return nil }
    let written = Int(bytes[16]) << 8 | Int(bytes[17])
    let pageSize = written == 1 ? 65536 : written
    guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
    self.pageSize = pageSize
    usesWriteAheadLog = bytes[18] == 2 || bytes[19] == 2
    changeCounter = Array(bytes[24..<28])
    let validFor = bytes[92..<96]
    let count = bytes[28..<32].reduce(0) { $0 << 8 | Int($1) }
    pageCount = changeCounter.elementsEqual(validFor) && count > 0 ? count : nil
  }
}
