/// Something in a model file that was read past: it does not stop anything, and it is not silently dropped either.
public struct ModelNote: Hashable, Sendable {
  /// Where it stands.
  public var location: SourceLocation
  /// What it is, in one sentence without a full stop.
  public var sentence: String

  /// Makes a note.
  public init(location: SourceLocation, sentence: String) {
    self.location = location
    self.sentence = sentence
  }
}

extension ModelNote: CustomStringConvertible {
  /// The place and what stands there.
  public var description: String { "\(location): \(sentence)" }
}
