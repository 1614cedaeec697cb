package import Foundation
public import ModelDescription

/// A model together with the file it was read from.
public struct ModelFile: Hashable, Sendable {
  /// A second declaration of an element that may be declared once.
  public struct Redeclaration: Hashable, Sendable {
    /// The element that is declared again.
    public var element: ModelElement
    /// The location of the later declaration.
    public var location: SourceLocation
  }

  /// The model.
  public var model: ManagedObjectModel
  /// The location of the first declaration of each element; archives have no locations.
  public var locations: ElementLocations
  /// The later declarations of elements declared more than once, in the file's order.
  public var redeclarations: [Redeclaration]
  /// Notes on ignored parts.
  public var notes: [ModelNote]
  /// The file's path as it was given.
  public var path: String
  /// True for a store's copy of its model, which has no editor settings and no classes of the app.
  public var isOfStore = false
  /// True if the file or a configuration in it says that CloudKit mirrors the stores, which need not be true.
  public var looksMirrored = false
  /// The bytes of a store's copy of its model, from the table `Z_MODELCACHE`.
  package var cachedContent: Data?

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
  ///
  /// - Parameter content: the bytes of the copy, which must have the version hashes of the store.
  package init(ofStore path: String, _ model: ManagedObjectModel, content: Data?) {
    self.init(model: model, path: path)
    isOfStore = true
    cachedContent = content
  }

  /// The location of an element, or of its entity if it has none.
  public func location(of element: ModelElement) -> SourceLocation? {
    locations[element] ?? element.holder.flatMap { locations[.entity($0)] }
  }
}

/// Something in a model file that was read past: it does not stop anything, and it is not silently dropped either.
public struct ModelNote: Hashable, Sendable {
  /// Its location in the file.
  public var location: SourceLocation
  /// The note as a sentence, without a full stop.
  public var sentence: String

  /// Makes a note.
  public init(location: SourceLocation, sentence: String) { (self.location, self.sentence) = (location, sentence) }
}

extension ModelNote: CustomStringConvertible {
  /// The location and the sentence.
  public var description: String { "\(location): \(sentence)" }
}
