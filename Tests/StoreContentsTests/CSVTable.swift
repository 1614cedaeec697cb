/// A table of comma-separated values, read by the rules of RFC 4180.
struct CSVTable {
  struct Field {
    var text = ""
    var isQuoted = false
  }

  private(set) var rows: [[Field]] = []

  init(_ text: String) {
    var (row, bytes, isQuoted, isInside): ([Field], [UInt8], Bool, Bool) = ([], [], false, false)
    func field() -> Field { Field(text: String(decoding: bytes, as: UTF8.self), isQuoted: isQuoted) }
    var wasQuote = false
    for byte in text.utf8 {
      if isInside {
        if byte == UInt8(ascii: "\"") { (isInside, wasQuote) = (false, true) } else { bytes.append(byte) }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        if wasQuote { bytes.append(byte) }
        (isInside, isQuoted) = (true, true)
      case UInt8(ascii: ","), UInt8(ascii: "\n"):
        row.append(field())
        (bytes, isQuoted) = ([], false)
        if byte == UInt8(ascii: "\n") {
          rows.append(row)
          row = []
        }
      default: bytes.append(byte)
      }
      wasQuote = false
    }
  }
}
