import ModelDescription
public import ModelFiles
import PersistentStores

/// A written mapping model.
public struct MappingFileReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The path of the file.
  public let path: String
  /// The source version.
  public let source: String
  /// The destination version.
  public let destination: String
  /// The number of open decisions.
  public let openDecisions: Int
  /// The decisions that are open, in the order of a mapping file.
  public let decisions: [String]
  private let lines: [Int]
  private let besides: String?

  private enum CodingKeys: CodingKey {
    case version, path, source, destination, openDecisions, decisions
  }

  /// Creates a report of a file.
  ///
  /// - Parameter besides: the mapping file with the same content, if the mapping model was made from one.
  public init(
    path: String, source: String, destination: String, openDecisions: [MappingFile.OpenDecision],
    besides: String? = nil
  ) {
    (self.path, self.source, self.destination, self.besides) = (path, source, destination, besides)
    self.openDecisions = openDecisions.count
    decisions = openDecisions.map(\.text)
    lines = openDecisions.map(\.location.line)
  }

  /// The written file, and the next command.
  public var text: String {
    let isXcode = MappingPath.form(of: path) == .xcode
    let count = Quantity.text(openDecisions, "decision")
    let state =
      if openDecisions > 0 {
        isXcode ? "\(count) left to make in Xcode" : "\(count) left to make, marked with DECIDE:"
      } else if besides != nil {
        "Xcode opens it, and Core Data reads it when the app is built"
      } else {
        "no decisions are left, because inference maps everything"
      }
    let listed = zip(lines, decisions).map { line, text in isXcode ? "  \(text)\n" : "  \(path):\(line): \(text)\n" }
    let both = besides.map { "delete one of the two mappings: \(ShellWord(path: $0).text) maps the same step\n" } ?? ""
    let next =
      if openDecisions > 0, !isXcode {
        "next, after you have made each decision and deleted its comment:"
      } else {
        isXcode ? "next, after you have added it to the target of the app in Xcode:" : "next:"
      }
    return """
      \(path): written; \(state)
      \(listed.joined())\(both)\(next)
        modelctl mapping check \(ShellWord(path: path).text)

      """
  }
}
