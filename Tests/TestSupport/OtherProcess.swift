import Foundation

/// Another process that keeps a store open: SQLite's own shell.
public struct OtherProcess {
  private static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  /// True when the shell is there.
  public static var isPossible: Bool { shell != nil }

  private let process = Process()
  private let input = Pipe()

  /// Starts the process and waits until it has run the statements.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - sql: the statements.
  /// - Throws: when the process cannot be started.
  public init(holding path: String, sql: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.shell ?? "")
    process.arguments = [path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data((sql + "\nSELECT 'ready';\n").utf8))
    _ = output.fileHandleForReading.availableData
  }

  /// Ends the process.
  public func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
