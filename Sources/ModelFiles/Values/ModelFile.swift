public import ModelDescription

/// A model together with the file it was read from.
public struct ModelFile: Hashable, Sendable {
  /// A second declaration of something that may stand only once.
  public struct Redeclaration: Hashable, Sendable {
    /// What is declared again.
    public var element: ModelElement
    /// Where the later declaration stands.
    public var location: SourceLocation
  }

  /// The model.
  public var model: ManagedObjectModel
  /// Where each element is first declared; archives have no places.
  public var locations: ElementLocations
  /// The later declarations of elements declared more than once, in the file's order.
  public var redeclarations: [Redeclaration]
  /// Notes on ignored parts.
  public var notes: [ModelNote]
  /// The file's path as it was given.
  public var path: String
  /// True for a store's own copy of its model, which holds nothing of the editor's settings and the app's classes.
  public var isOfStore = false

  /// Makes a model file.
  public init(
    model: ManagedObjectModel,
    locations: ElementLocations = ElementLocations(),
    redeclarations: [Redeclaration] = [],
    notes: [ModelNote] = [],
    path: String
  ) {
    (self.model, self.locations, self.redeclarations) = (model, locations, redeclarations)
    (self.notes, self.path) = (notes, path)
  }

  /// Takes a store's own copy of its model.
  package init(ofStore path: String, _ model: ManagedObjectModel) {
    self.init(model: model, path: path)
    isOfStore = true
  }

  /// The place of an element, else of the entity that holds it.
  public func location(of element: ModelElement) -> SourceLocation? {
    locations[element] ?? element.holder.flatMap { locations[.entity($0)] }
  }
}

/// Something in a model file that was read past: it does not stop anything, and it is not silently dropped either.
public struct ModelNote: Hashable, Sendable {
  /// Its location in the file.
  public var location: SourceLocation
  /// What it is, in one sentence without a full stop.
  public var sentence: String

  /// Makes a note.
  public init(location: SourceLocation, sentence: String) { (self.location, self.sentence) = (location, sentence) }
}

extension ModelNote: CustomStringConvertible {
  /// The place and what stands there.
  public var description: String { "\(location): \(sentence)" }
}
