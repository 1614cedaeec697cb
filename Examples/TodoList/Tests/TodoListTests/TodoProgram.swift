import Foundation

/// The program, run as processes of their own on one store.
struct TodoProgram {
  let store: String

  /// It lies beside the tests.
  private static let path: URL = {
    let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent("todo")
  }()

  /// Starts it.
  func start(_ arguments: [String]) throws -> (process: Process, output: FileHandle, errors: FileHandle) {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = Self.path
    process.arguments = arguments + ["--store", store]
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    return (process, output.fileHandleForReading, errors.fileHandleForReading)
  }

  /// Runs it to its end.
  func run(_ arguments: String...) throws -> (output: String, errors: String, status: Int32) {
    let (process, output, errors) = try start(arguments)
    let written = [output, errors].map { String(decoding: $0.readDataToEndOfFile(), as: UTF8.self) }
    process.waitUntilExit()
    return (written[0], written[1], process.terminationStatus)
  }
}
