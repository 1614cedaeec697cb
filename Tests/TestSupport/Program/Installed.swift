import Foundation

/// Programs that are used when they are installed.
package enum Installed {
  package static let dot = has("dot")

  /// The message of a test that needs Graphviz.
  package static let noDot = "no Graphviz: install the package graphviz to run this test"

  private static func has(_ program: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }
}
