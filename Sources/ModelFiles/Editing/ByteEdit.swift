/// A replacement of some bytes of a text.
struct ByteEdit {
  let range: Range<Int>
  let replacement: [UInt8]

  init(_ range: Range<Int>, _ replacement: some Sequence<UInt8>) {
    self.range = range
    self.replacement = Array(replacement)
  }

  /// The bytes with all edits made, which must not overlap.
  static func apply(_ edits: [ByteEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.replacement.count })
    var position = 0
    // What is inserted goes before what is replaced at the same place.
    let places = edits.indices.sorted { first, second in
      (edits[first].range.lowerBound, edits[first].range.upperBound, first)
        < (edits[second].range.lowerBound, edits[second].range.upperBound, second)
    }
    for edit in places.map({ edits[$0] })
    where edit.range.lowerBound >= position && edit.range.upperBound <= bytes.count {
      result += bytes[position..<edit.range.lowerBound]
      result += edit.replacement
      position = edit.range.upperBound
    }
    return result + bytes[position...]
  }
}
