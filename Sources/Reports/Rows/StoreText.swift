public import StoreContents
import StoreRows

/// The objects of a store as text that git compares: a line about the store, then one an object by entity and key.
public struct StoreText: Sendable {
  /// The text.
  public let text: String

  /// Takes a store's objects.
  public init(_ contents: StoreContentsList) {
    let lines = contents.objects.map { record in
      PrintableText.line(([record.id.description] + record.shownFacts).joined(separator: "; "))
    }
    text = (["store \(contents.uuid), checksum of the version \(contents.checksum)"] + lines).map { "\($0)\n" }.joined()
  }

  /// Says what is known of a store whose model is not.
  public init(uuid: String, checksum: String) {
    text = "store \(uuid), checksum of the version \(checksum), which no model here has\n"
  }
}
