public import ModelDescription
public import VersionHashing

/// Why versions of several bundles cannot be merged into one model.
public struct UnionError: Error, Hashable, Sendable {
  /// A version that takes part in it.
  public struct Version: Hashable, Sendable {
    /// The path of its bundle.
    public let bundle: String
    /// Its name.
    public let name: String
  }

  /// What is wrong.
  public enum Cause: Hashable, Sendable {
    /// Two models contradict each other.
    case merge(ModelMergeError)
    /// The union's entities form no hierarchy.
    case structure(ModelStructureError)
  }

  /// The two versions that contradict each other, or all that were merged.
  public let versions: [Version]
  /// What is wrong.
  public let cause: Cause

  init(versions: [(bundle: String, name: String)], cause: Cause) {
    self.versions = versions.map { Version(bundle: $0.bundle, name: $0.name) }
    self.cause = cause
  }
}

extension UnionError: CustomStringConvertible {
  /// The cause and what to do, with the bundles and versions.
  public var description: String { description(calling: versions.map { "\($0.bundle) (\($0.name))" }) }

  /// The cause and what to do.
  ///
  /// - Parameter names: how the ``versions`` are called, in their order.
  /// - Returns: a sentence without a full stop.
  public func description(calling names: [String]) -> String {
    switch cause {
    case .merge(let error):
      error.description(of: names.first ?? "", and: names.last ?? "")
    case .structure(let error):
      "\(names.joined(separator: " and ")) cannot be merged: \(error)"
    }
  }
}
