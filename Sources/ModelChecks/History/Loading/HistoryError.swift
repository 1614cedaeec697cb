import ModelDescription

/// What keeps a bundle from being held against what was released.
public enum HistoryError: Error, Hashable, Sendable {
  /// A compiled model was made from none of the bundles that are checked.
  case unmatchedCompiledModel(path: String, bundles: [String])
  /// No tag fits a pattern, in a clone that may lack tags.
  case noTags(pattern: String)
}

extension HistoryError: CustomStringConvertible {
  /// The place, the cause and what to try next.
  public var description: String {
    switch self {
    case .unmatchedCompiledModel(let path, let bundles):
      """
      \(path): no bundle here has its name or one of its versions; name the bundle it was made from\
      \(bundles.isEmpty ? "" : ", here are \(bundles.joined(separator: ", "))")
      """
    case .noTags(let pattern):
      """
      no tag fits “\(pattern)”, and this is a shallow clone, which may lack them; fetch them with: \
      git fetch --depth=1 origin 'refs/tags/*:refs/tags/*'
      """
    }
  }
}
