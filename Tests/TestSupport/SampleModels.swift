public import Foundation

/// The sample models that the package brings along in `Models/`.
public enum SampleModels {
  /// The path of the sample bundle of this name, given without its extension.
  public static func path(_ name: String) -> String { path(name, in: "Models") }

  /// The path of the benchmark's bundle of this name, given without its extension.
  public static func benchmarkPath(_ name: String) -> String { path(name, in: "Benchmarks/Models") }

  /// The folder of the package.
  public static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func path(_ name: String, in folder: String) -> String {
    package.appendingPathComponent("\(folder)/\(name).xcdatamodeld").path
  }
}
