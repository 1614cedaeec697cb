/// An error of any type, held as it was caught; two are equal when they are of one type and have the same description.
public struct CaughtError: Error, Hashable, Sendable {
  /// The error.
  public let error: any Error

  /// Holds an error.
  package init(_ error: any Error) {
    self.error = error
  }

  /// Compares two errors.
  public static func == (first: CaughtError, second: CaughtError) -> Bool {
    type(of: first.error) == type(of: second.error) && first.description == second.description
  }

  /// Hashes what the error says.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(description)
  }
}

extension CaughtError: CustomStringConvertible {
  /// The error's own words.
  public var description: String { "\(error)" }
}
