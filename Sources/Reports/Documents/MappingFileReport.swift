import ModelDescription
import PersistentStores

/// A mapping file that was written, for people and programs.
public struct MappingFileReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The path of the file.
  public let path: String
  /// The version that stores have.
  public let source: String
  /// The version that they get.
  public let destination: String
  /// How many decisions are open.
  public let openDecisions: Int

  private enum CodingKeys: CodingKey {
    case version, path, source, destination, openDecisions
  }

  /// Takes a file.
  public init(path: String, source: String, destination: String, openDecisions: Int) {
    (self.path, self.source, self.destination, self.openDecisions) = (path, source, destination, openDecisions)
  }

  /// What was written, and what to run next.
  public var text: String {
    let state =
      openDecisions == 0
      ? "nothing has to be decided, as inference does it all"
      : "\(Quantity.text(openDecisions, "decision")) to take, marked by DECIDE:"
    let next = openDecisions == 0 ? "next:" : "next, when each is decided and its comment deleted:"
    return """
      \(path): written; \(state)
      \(next)
        modelctl mapping check \(ShellWord(path: path).text)

      """
  }
}
