public import ModelDescription

/// Everything a model says, one line a thing, for comparing two states of it line by line.
///
/// It has no name in it, and nothing that depends on the order of the file. Left out is what only the editor uses: the
/// diagram, whether elements synchronise, and whether code gets scalar types; and renaming identifiers that are the
/// element's own name, which mean nothing.
public struct CompleteModelText: Hashable, Sendable {
  /// The text, in which nothing of the model breaks a line.
  public let text: String

  /// Describes a model.
  public init(_ model: ManagedObjectModel) {
    let outline = ModelOutline(
      model.withoutIdleIdentifiers, name: "model", entityCount: model.entities.count, isComplete: true
    ).outline
    let parts = outline.parts.flatMap { part in
      ["", Self.line(part)] + part.parts.map { "  \(Self.line($0))" }
    }
    text = (([outline.title] + outline.facts).map(PrintableText.line) + parts).joined(separator: "\n") + "\n"
  }

  private static func line(_ part: Outline) -> String {
    PrintableText.line(([part.title] + part.facts).joined(separator: ", "))
  }
}
