public import StoreContents
import StoreRows

/// The messages of a dump.
public enum DumpText {
  /// The number of dumped objects, in a single line.
  ///
  /// - Parameter path: the path of the dump.
  public static func text(_ outcome: StoreDump.Outcome, at path: String) -> String {
    let count = outcome.objects.values.reduce(0, +)
    return PrintableText.escaped("\(path): \(Quantity.text(count, "object")) dumped\n")
  }

  /// The notes about omitted links and rows, and about links to objects outside the dump.
  ///
  /// - Returns: sentences without full stops.
  public static func notes(on outcome: StoreDump.Outcome) -> [String] {
    let leftOut = LinksToNothingText.text(outcome.linksToNothing, such: outcome.firstLinkToNothing)
    let files = Quantity.text(outcome.missingFiles, "value")
    let empty =
      outcome.missingFiles == 0
      ? nil : "\(files) \(outcome.missingFiles == 1 ? "is" : "are") empty, because the file is missing"
    let rows = RowsOfNoEntityText.text(outcome.rowsOfNoEntity)
    guard outcome.outwardLinks > 0 else { return [leftOut, rows, empty].compactMap { $0 } }
    let links = Quantity.text(outcome.outwardLinks, "link")
    let outward = """
      \(links) \(outcome.outwardLinks == 1 ? "points" : "point") to objects that are not in the dump; modelctl extract \
      includes the objects that other objects need
      """
    return [leftOut, rows, empty, outward].compactMap { $0 }
  }
}

/// The objects of a store as text for git: one line about the store, then one line per object, sorted by entity and
/// key.
public struct StoreText: Sendable {
  /// The text.
  public let text: String

  /// Creates a text of a store's objects.
  public init(_ contents: StoreContentsList) {
    let lines = contents.objects.map { record in
      PrintableText.line(([record.id.description] + record.shownFacts).joined(separator: "; "))
    }
    text = (["store \(contents.uuid), checksum of the version \(contents.checksum)"] + lines).map { "\($0)\n" }.joined()
  }

  /// Creates a text of a store whose model is unknown.
  public init(uuid: String, checksum: String) {
    text = "store \(uuid), checksum of the version \(checksum), not a version of a model here\n"
  }
}
