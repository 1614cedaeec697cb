package import Foundation

/// The built program, run as a user runs it.
package enum Modelctl {
  /// The result of a run.
  package struct Result: Equatable {
    package let status: Int32
    package let standardOutput: String
    package let standardError: String

    package init(status: Int32, standardOutput: String, standardError: String) {
      (self.status, self.standardOutput, self.standardError) = (status, standardOutput, standardError)
    }
  }

  /// The folder of the program: that of `MODELCTL_PROGRAM`, else that of the build, which it shares with the tests.
  package static let folder: URL? = {
    if let program = ProcessInfo.processInfo.environment["MODELCTL_PROGRAM"] {
      return URL(fileURLWithPath: program).deletingLastPathComponent()
    }
    return BuildFolder.url
  }()

  /// Runs the program with these arguments.
  package static func run(_ arguments: [String], in workspace: SampleFolder) throws -> Result {
    try run(executable: program(), arguments, in: workspace)
  }

  /// Runs a line of shell in which `modelctl` is the program.
  package static func shell(
    _ line: String, environment: [String: String] = [:], in workspace: SampleFolder
  ) throws -> Result {
    try run(executable: URL(fileURLWithPath: "/bin/sh"), ["-c", line], environment: environment, in: workspace)
  }

  /// Starts the program without waiting for it; its output goes to the null device.
  ///
  /// - Parameters:
  ///   - arguments: the arguments.
  ///   - environment: variables on top of those of this process.
  ///   - workspace: where it runs.
  ///   - temporaryFolder: a folder of the workspace that it takes for temporary files; the system's otherwise.
  ///   - errors: a file of the workspace that takes its standard error; the null device otherwise.
  /// - Returns: the process.
  /// - Throws: when the program cannot be run.
  package static func start(
    _ arguments: [String], environment: [String: String] = [:], in workspace: SampleFolder,
    temporaryFolder: String? = nil, errors: String? = nil
  ) throws -> Process {
    let process = try process(executable: program(), arguments, in: workspace)
    process.environment?.merge(environment) { $1 }
    if let temporaryFolder {
      process.environment?["TMPDIR"] = workspace.url.appendingPathComponent(temporaryFolder).path
    }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    if let errors {
      let file = workspace.url.appendingPathComponent(errors)
      try Data().write(to: file)
      process.standardError = try FileHandle(forWritingTo: file)
    }
    try process.run()
    return process
  }

  /// The program.
  package static func program() throws -> URL {
    guard let folder else { throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "modelctl"]) }
    return folder.appendingPathComponent("modelctl")
  }

  /// The streams go to files, so that neither can fill up and block the program.
  private static func run(
    executable: URL, _ arguments: [String], environment: [String: String] = [:], in workspace: SampleFolder
  ) throws -> Result {
    let streams = try TemporaryFolder()
    let paths = ["stdout", "stderr"].map(streams.path)
    let handles = try paths.map { path in
      try Data().write(to: URL(fileURLWithPath: path))
      return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }
    let process = try process(executable: executable, arguments, in: workspace)
    process.environment?.merge(environment) { $1 }
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    try process.run()
    process.waitUntilExit()
    let texts = try paths.map { String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self) }
    return Result(status: process.terminationStatus, standardOutput: texts[0], standardError: texts[1])
  }

  private static func process(executable: URL, _ arguments: [String], in workspace: SampleFolder) throws -> Process {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = workspace.url
    process.standardInput = FileHandle.nullDevice
    let former = ProcessInfo.processInfo.environment
    process.environment = former.merging([
      "PATH": "\(try program().deletingLastPathComponent().path):\(former["PATH"] ?? "/usr/bin:/bin")",
      "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "", "CLICOLOR_FORCE": "", "GIT_CONFIG_GLOBAL": "/dev/null",
      "GIT_CONFIG_NOSYSTEM": "1", "XDG_CACHE_HOME": workspace.cache.url.path,
      "GIT_AUTHOR_NAME": "Somebody", "GIT_AUTHOR_EMAIL": "somebody@example.com", "GIT_COMMITTER_NAME": "Somebody",
      "GIT_COMMITTER_EMAIL": "somebody@example.com",
    ]) { $1 }
    return process
  }
}
