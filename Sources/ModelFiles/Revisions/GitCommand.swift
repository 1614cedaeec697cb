import Dispatch
import Foundation

/// Runs git in a folder, with the environment as ``GitEnvironment`` gives it.
struct GitCommand {
  /// What a run gave.
  struct Answer {
    let status: Int32
    let output: Data
    let errors: Data

    var isSuccess: Bool { status == 0 }

    /// The output without the white space around it.
    var text: String { Self.trimmed(output) }

    /// Git's complaint, cut to a readable length.
    var complaint: String { Self.trimmed(errors.prefix(500)) }

    private static func trimmed(_ data: Data) -> String {
      String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Git is not installed.
  struct Missing: Error {}

  let folder: String

  /// Runs git to its end.
  func run(_ arguments: [String]) throws(Missing) -> Answer {
    let process = process(arguments)
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    let end = ProcessEnd(of: process)
    do {
      try process.run()
    } catch {
      throw Missing()
    }
    // Git's complaints fit the pipe's buffer, so reading one stream after the other cannot block.
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    end.wait()
    guard process.terminationStatus != Self.notFound else { throw Missing() }
    return Answer(status: process.terminationStatus, output: bytes, errors: complaints)
  }

  /// The process of a run, not started.
  func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "--no-pager", "--literal-pathspecs", "-C", folder] + arguments
    if let variables = GitEnvironment.variables(for: folder) { process.environment = variables }
    return process
  }

  /// What `env` ends with when there is no such program.
  private static let notFound: Int32 = 127
}

/// Waits for the end of a process until the moment it comes; `waitUntilExit` looks every 50 milliseconds.
struct ProcessEnd {
  private let ended = DispatchSemaphore(value: 0)

  /// Takes a process that has not started yet.
  init(of process: Process) {
    let ended = ended
    process.terminationHandler = { _ in ended.signal() }
  }

  /// Waits for the end, once.
  func wait() { ended.wait() }
}
