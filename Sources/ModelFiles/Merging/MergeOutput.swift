/// The merged text as it grows.
struct MergeOutput {
  private static let lineFeed = UInt8(ascii: "\n")

  private(set) var bytes: [UInt8] = []
  /// The offset of each conflict's first marker.
  private(set) var markers: [Int] = []
  private let lineEnd: [UInt8]
  private var endsLine = false

  /// - Parameter lineEnd: what ends the lines of the markers.
  init(lineEnd: [UInt8]) { self.lineEnd = lineEnd }

  mutating func append(_ more: some Collection<UInt8>) {
    guard let first = more.first else { return }
    if endsLine, first != Self.lineFeed, !more.starts(with: lineEnd) { bytes += lineEnd }
    endsLine = false
    bytes += more
  }

  /// Both sides between git's markers, each on lines of its own; an empty side has no line.
  mutating func append(lead: some Collection<UInt8>, ours: [UInt8], theirs: [UInt8]) {
    let lead = Array(lead)
    let indent = lead.lastIndex(of: Self.lineFeed).map { Array(lead[($0 + 1)...]) } ?? []
    append(lead.dropLast(indent.count))
    if endsLine || bytes.last != Self.lineFeed && !bytes.isEmpty { bytes += lineEnd }
    endsLine = false
    markers.append(bytes.count)
    bytes += Array("<<<<<<< ours".utf8) + lineEnd + line(ours, indent)
    bytes += Array("=======".utf8) + lineEnd + line(theirs, indent)
    bytes += Array(">>>>>>> theirs".utf8)
    endsLine = true
  }

  private func line(_ text: [UInt8], _ indent: [UInt8]) -> [UInt8] {
    text.isEmpty ? [] : indent + text + lineEnd
  }

  /// Ends the text; a marker stands on a line of its own also at the end.
  mutating func finish() {
    if endsLine { bytes += lineEnd }
  }
}
