import Foundation
import ModelFiles

extension ProjectLoader {
  /// What the project decided when the base was made; nil where nothing is known of it.
  ///
  /// Where only a part of the project is looked at, the base may lack the configuration.
  func baseConfiguration() -> CheckConfiguration? {
    guard let base, let file = configuration.path else { return nil }
    let folder = CheckConfiguration.components(BundlePath.parent(file))
    guard paths.contains(where: { folder.starts(with: CheckConfiguration.components($0)) }) else { return nil }
    let path = base.path(file)
    guard FileManager.default.fileExists(atPath: path) else { return CheckConfiguration() }
    var earlier = try? CheckConfiguration(contentsOf: path)
    earlier?.path = file
    return earlier
  }

  /// True for a bundle that is here, and that the project leaves out now and did not before.
  func isNewlyExcluded(_ path: String, since earlier: CheckConfiguration?) -> Bool {
    guard let earlier else { return false }
    return !earlier.excludes(path) && FileManager.default.fileExists(atPath: path)
  }
}
