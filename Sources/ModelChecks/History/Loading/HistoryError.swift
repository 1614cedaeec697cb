import ModelDescription
import ModelFiles

/// What keeps a bundle from being held against what was released.
public enum HistoryError: Error, Hashable, Sendable {
  /// A compiled model was made from none of the bundles that are checked.
  case unmatchedCompiledModel(path: String, bundles: [String])
  /// A version of the base cannot be read, so that nothing tells whether it was edited.
  case unreadableVersion(name: String, bundle: String, base: String)
  /// What is to be a compiled model is something else.
  case notCompiled(path: String)
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
      \(bundles.isEmpty ? "" : ", here are \(NameList.text(bundles))")
      """
    case .unreadableVersion(let name, let bundle, let base):
      """
      \(bundle): the version \(name) cannot be read as it is in \(base), and no lock file there says what it was; \
      compare with a revision in which it is whole
      """
    case .notCompiled(let path):
      """
      \(path): not a compiled model; name a .momd or a .mom of the app that users have, or for an earlier state in git: \
      modelctl check --base REVISION
      """
    case .noTags(let pattern):
      """
      no tag fits “\(pattern)”, and this is a shallow clone, which may lack them; fetch them with: \
      git fetch --depth=1 origin 'refs/tags/*:refs/tags/*'
      """
    }
  }
}
