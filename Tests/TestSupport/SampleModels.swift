import Foundation

/// The sample models that the package brings along in `Models/`.
public enum SampleModels {
  /// The path of a sample bundle.
  ///
  /// - Parameter name: the bundle's name without its extension, such as `Orders`.
  public static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Models/\(name).xcdatamodeld").path
  }
}
