public import StoreRows

/// What a conversion wrote, for people and programs.
public struct ConversionReport: Encodable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  private let source: String
  private let destination: String
  private let kind: String
  private let modelVersion: String?
  private let objects: Int
  private let isProved: Bool
  private let rounded: Int
  private let linksToNothing: [LeftOutLink]
  private let leftOut: String?

  private enum CodingKeys: CodingKey {
    case version, source, destination, kind, modelVersion, objects, isProved, rounded, linksToNothing
  }

  /// Takes what was converted.
  ///
  /// - Parameters:
  ///   - source: the store that was read.
  ///   - destination: the store that was made.
  ///   - kind: its kind.
  ///   - version: the name of the version of both; nil for the model that the store keeps.
  ///   - objects: how many objects it has.
  ///   - isProved: false where nobody has seen Core Data open such a store of this program yet.
  ///   - rounded: how many numbers the new store keeps with fewer digits.
  ///   - linksToNothing: the links that it lacks, as they lead to objects which are not there.
  public init(
    from source: String, to destination: String, kind: String, version: String?, objects: Int, isProved: Bool,
    rounded: Int, linksToNothing: [LinkToNothing]
  ) {
    self.rounded = rounded
    self.linksToNothing = linksToNothing.map { LeftOutLink($0) }
    leftOut = LinksToNothingText.text(linksToNothing.count, such: linksToNothing.first)
    (self.source, self.destination, self.kind) = (source, destination, kind)
    (modelVersion, self.objects, self.isProved) = (version, objects, isProved)
  }

  /// What was made.
  public var text: String {
    let kindName = kind == "sqlite" ? "SQLite" : kind == "binary" ? "binary" : kind.uppercased()
    let made = modelVersion.map { " with version \(PrintableText.line($0))" } ?? ""
    let count = objects == 1 ? "1 object" : "\(objects) objects"
    var text = "\(PrintableText.line(destination)): \(kindName) store made\(made), \(count)\n"
    text += LostDigitsText.text(rounded)
    if let leftOut { text += "note: \(leftOut)\n" }
    return text
  }
}
