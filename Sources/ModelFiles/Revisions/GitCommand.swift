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
  ///
  /// - Parameter input: what git reads; nil for nothing.
  func run(_ arguments: [String], input: Data? = nil, isLiteral: Bool = true) throws(Missing) -> Answer {
    let process = process(arguments, isLiteral: isLiteral)
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = try input.map(Self.handle(of:)) ?? FileHandle.nullDevice
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
  ///
  /// - Parameter isLiteral: false for a command that refuses to be given that option, because it takes no patterns.
  func process(_ arguments: [String], isLiteral: Bool = true) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // What is asked changes nothing, waits for no other program and starts none that a repository names.
    process.arguments =
      ["git", "--no-pager", "--no-optional-locks"] + (isLiteral ? ["--literal-pathspecs"] : [])
      + ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", folder] + arguments
    if let variables = GitEnvironment.variables(for: folder) { process.environment = variables }
    return process
  }

  /// Bytes in a file without a name: git may read them whenever it likes, and none is left when it does not.
  private static func handle(of input: Data) throws(Missing) -> FileHandle {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-\(UUID().uuidString)").path
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Missing() }
    unlink(path)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: input)
      try handle.seek(toOffset: 0)
    } catch {
      throw Missing()
    }
    return handle
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

  func wait() { ended.wait() }
}
