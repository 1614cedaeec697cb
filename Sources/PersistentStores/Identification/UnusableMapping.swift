/// A mapping model's file that cannot be used, which must not go unnoticed where it would have been.
public struct UnusableMapping: Error, Sendable {
  /// The path of the file.
  public let path: String
  /// The version it says it maps from, where that is known.
  public let source: KnownVersion?
  /// The version it says it maps to, where that is known.
  public let destination: KnownVersion?
  /// The name of the bundle it is for, where that is known.
  public let bundleName: String?
  /// What is wrong with it, and what to do.
  public let reason: String

  /// Makes an unusable mapping.
  public init(
    path: String, source: KnownVersion? = nil, destination: KnownVersion? = nil, bundleName: String? = nil,
    reason: String
  ) {
    self.path = path
    self.source = source
    self.destination = destination
    self.bundleName = bundleName
    self.reason = reason
  }
}
