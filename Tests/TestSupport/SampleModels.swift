import Foundation

/// The sample models that the package brings along in `Models/`.
public enum SampleModels {
  /// The path of the sample bundle of this name, given without its extension.
  public static func path(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Models/\(name).xcdatamodeld").path
  }
}
