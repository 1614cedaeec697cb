/// Two revisions of git, written as git writes them: `v1.0..v2.0`.
public struct RevisionRange: Hashable, Sendable {
  /// The earlier revision.
  public let source: String
  /// The later revision; `HEAD` where none is named.
  public let destination: String

  /// Takes a text apart; nil for one that is no range, such as a path with `..` in it.
  public init?(_ text: String) {
    guard let dots = text.firstRange(of: "..") else { return nil }
    let (first, second) = (text[..<dots.lowerBound], text[dots.upperBound...])
    guard !first.isEmpty, !first.hasSuffix("/"), !second.hasPrefix("/") else { return nil }
    (source, destination) = (String(first), second.isEmpty ? "HEAD" : String(second))
  }
}
