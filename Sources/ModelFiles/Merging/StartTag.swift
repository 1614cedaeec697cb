/// A merged start tag, in the form of each side; the same where they do not disagree.
struct StartTag {
  let ours: [UInt8]
  let theirs: [UInt8]

  init(
    _ our: MarkupNode, _ ourSource: MarkupSource, _ their: MarkupNode, _ theirSource: MarkupSource,
    _ attributes: AttributeMerge, isEmpty: Bool
  ) {
    let end = Array((isEmpty ? "/>" : ">").utf8)
    func tag(_ origin: (AttributeMerge.Entry) -> AttributeMerge.Origin) -> [UInt8] {
      var bytes = Array("<\(our.name)".utf8)
      for entry in attributes.entries {
        switch origin(entry) {
        case .ours: bytes += Self.text(of: entry.name, our, ourSource)
        case .theirs: bytes += Self.text(of: entry.name, their, theirSource)
        case .neither: break
        }
      }
      return bytes + end
    }
    ours = tag(\.inOurs)
    theirs = tag(\.inTheirs)
  }

  /// An attribute with the white space before it.
  private static func text(of name: String, _ node: MarkupNode, _ source: MarkupSource) -> ArraySlice<UInt8> {
    guard let position = node.attributes.firstIndex(where: { $0.name == name }) else { return [] }
    let before =
      position > 0 ? node.attributes[position - 1].range.upperBound : node.head.lowerBound + 1 + node.name.utf8.count
    return source[before..<node.attributes[position].range.upperBound]
  }
}
