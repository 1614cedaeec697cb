import Foundation

/// Another process that keeps a store open: SQLite's own shell.
struct OtherProcess {
  private static let shell = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  static var isPossible: Bool { shell != nil }

  private let process = Process()
  private let input = Pipe()

  /// Starts the process and waits until it has run the statements.
  init(holding path: String, sql: String) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.shell ?? "")
    process.arguments = [path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    input.fileHandleForWriting.write(Data((sql + "\nSELECT 'ready';\n").utf8))
    _ = output.fileHandleForReading.availableData
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
