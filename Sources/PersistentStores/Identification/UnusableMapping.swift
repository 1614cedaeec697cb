/// A mapping model's file that cannot be used, which must not go unnoticed where it would have been.
public struct UnusableMapping: Error, Sendable {
  /// What keeps it from being used.
  public enum Fault: Sendable {
    /// The file itself is broken.
    case unreadable
    /// It is between versions that are not here.
    case fitsNoVersions
    /// It names two versions, and they are not what it was made with.
    case drifted(source: KnownVersion, destination: KnownVersion)
  }

  /// The path of the file.
  public let path: String
  /// What keeps it from being used.
  public let fault: Fault
  /// What is wrong with it, and what to do.
  public let reason: String

  /// Makes an unusable mapping.
  public init(path: String, fault: Fault, reason: String) {
    self.path = path
    self.fault = fault
    self.reason = reason
  }
}

extension UnusableMapping: CustomStringConvertible {
  /// What is wrong with it, and what to do.
  public var description: String { reason }
}
