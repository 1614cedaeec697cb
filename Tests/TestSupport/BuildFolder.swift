public import Foundation

/// The folder in which the package was built, which the tests share with the program and the modules.
public enum BuildFolder {
  /// The folder; nil if the tests run from another folder.
  public static let url: URL? = {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let places = [Bundle.main.bundleURL, Bundle.main.executableURL].compactMap { $0 } + bundles
    return places.flatMap { [$0, $0.deletingLastPathComponent()] }.first {
      FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("modelctl").path)
    }
  }()
}
