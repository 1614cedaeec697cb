import ModelDescription

/// What is learnt about a file beside its model while it is read.
struct ContentsRecord {
  private(set) var locations: [ModelElement: SourceLocation] = [:]
  private(set) var redeclarations: [ModelFile.Redeclaration] = []
  private(set) var notes: [ModelNote] = []

  init(capacity: Int) { locations.reserveCapacity(capacity) }

  mutating func declare(_ element: ModelElement, _ markup: MarkupElement) {
    guard let first = locations.updateValue(markup.location, forKey: element) else { return }
    locations[element] = first
    redeclarations.append(.init(element: element, location: markup.location))
  }

  mutating func note(_ location: SourceLocation, _ sentence: String) {
    notes.append(ModelNote(location: location, sentence: sentence))
  }

  mutating func noteUnknown(_ element: MarkupElement, in parent: MarkupElement) {
    note(element.location, "unknown element <\(element.name)> in <\(parent.name)>")
  }
}
