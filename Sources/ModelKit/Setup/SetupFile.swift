/// A file that a project is to have.
public struct SetupFile: Hashable, Sendable {
  /// What becomes of it.
  public enum State: String, Hashable, Sendable, Encodable {
    /// Nothing is there, so it is made.
    case new
    /// It is there and does what it is to do.
    case present
    /// It is there, and gets the lines that it lacks.
    case changed
    /// Another one is there, which stays as it is.
    case taken
  }

  /// The path, from the folder of the run.
  public let path: String
  /// What it has, or is to have.
  public let content: String
  /// What becomes of it.
  public let state: State
  /// What a person has to do, nil for nothing.
  public let advice: String?
  /// What it has, where it is changed.
  public var previous: String?
}
