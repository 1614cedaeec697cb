public import StoreContents

/// What a dump says besides its objects.
public enum DumpText {
  /// How many objects were written, in a line.
  ///
  /// - Parameters:
  ///   - outcome: what was dumped.
  ///   - path: where it is.
  /// - Returns: the line.
  public static func text(_ outcome: StoreDump.Outcome, at path: String) -> String {
    let count = outcome.objects.values.reduce(0, +)
    return PrintableText.escaped("\(path): \(Quantity.text(count, "object")) dumped\n")
  }

  /// What became of links that the dump lacks, and of those that lead out of it.
  ///
  /// - Parameter outcome: what was dumped.
  /// - Returns: sentences without their full stops.
  public static func notes(on outcome: StoreDump.Outcome) -> [String] {
    let leftOut = LinksToNothingText.text(outcome.linksToNothing, such: outcome.firstLinkToNothing)
    guard outcome.outwardLinks > 0 else { return leftOut.map { [$0] } ?? [] }
    let links = Quantity.text(outcome.outwardLinks, "link")
    let outward = """
      \(links) \(outcome.outwardLinks == 1 ? "leads" : "lead") to objects that are not in the dump; modelctl extract \
      takes along what objects need
      """
    return [leftOut, outward].compactMap { $0 }
  }
}
