import ModelComparison
public import ModelDescription

extension InferenceRefusal: AdvisedError {
  /// The destination element.
  public var place: String? { "\(element)" }

  /// Core Data's message and code, and an explanation.
  public var cause: String { "\(lead): \(explanation.cause)" }

  /// A change that makes the migration possible.
  public var advice: Advice? { explanation.advice }

  /// The element, the cause and the advice.
  package var words: ErrorWords { words(in: .written) }

  /// The element, the cause and the advice, to be read or heard.
  package func words(in style: WordStyle) -> ErrorWords {
    let explanation = explanation(in: style)
    return ErrorWords("\(element): \(lead): \(explanation.cause)", explanation.advice)
  }

  private var lead: String { "\(reason)\(code.map { " (\($0))" } ?? "")" }

  /// Core Data's message, so that you can search for it; modelctl's own if Core Data would migrate.
  public var reason: String {
    switch kind {
    case .ambiguous: "Ambiguous renaming identifier"
    case .mergedRoots: "Cannot merge multiple root entity source tables into one destination entity root table"
    case .respelled: "The name looks the same and is spelled with other Unicode characters"
    case .incompatibleTypes, .unsuitableFill: "Source and destination attribute types are incompatible"
    }
  }

  package var explanation: ErrorWords { explanation(in: .written) }

  private func explanation(in style: WordStyle) -> ErrorWords {
    switch kind {
    case .ambiguous(let ambiguity):
      let (names, sources) = ambiguity.words(separator: " and ")
      return .init(
        "\(names) and the source's \(sources) claim each other by the name \(style.quoted(ambiguity.claimedName))",
        "give each its own renaming identifier, so that each has at most one source")
    case .mergedRoots(let sources, let root):
      return .init(
        """
        \(sources.joined(separator: " and ")) had tables of their own and would share the table of \(root), but their \
        rows have the same primary keys
        """, "keep them apart, or write a mapping model that merges them: \(Self.mappingHelp)")
    case .respelled(let source, let destination):
      return .init(
        """
        the characters were \(Self.characters(source)) and are \(Self.characters(destination)), so the names differ for \
        Core Data
        """,
        """
        copy the name from the previous version, or choose a name that looks different and make the previous name its \
        renaming identifier
        """)
    case .incompatibleTypes(let conversion):
      let other: Advice =
        conversion.isCastable ? "convert the values: \(option: "--cast", "\(element)")" : "add a new attribute"
      return .init(
        """
        the type changes from \(conversion.from.name) to \(conversion.to.name), and inference converts only between \
        numbers
        """, "\(other); or write a mapping model: \(Self.mappingHelp)")
    case .unsuitableFill(let type): return .init("the value to fill \(element) with is not a valid \(type.name)")
    }
  }

  private static let mappingHelp: Advice = "\(run: "modelctl", "mapping", "new", "--help")"

  private static func characters(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16, uppercase: true) }.joined(separator: " ")
  }
}
