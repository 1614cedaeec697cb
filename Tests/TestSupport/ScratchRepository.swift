public import Foundation

/// A git repository for one test, without a user's configuration.
public struct ScratchRepository: Sendable {
  /// The folder it is in.
  public let folder: TemporaryFolder
  /// The top of its working tree.
  public let url: URL

  /// Makes an empty repository whose branch is `main`.
  ///
  /// - Throws: when git cannot be run.
  public init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appendingPathComponent("work")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    try git("init", "--quiet", "--initial-branch=main")
  }

  private init(folder: TemporaryFolder, url: URL) { (self.folder, self.url) = (folder, url) }

  /// A clone of it, beside it.
  ///
  /// - Parameters:
  ///   - name: the clone's folder.
  ///   - options: further options of `git clone`, such as `--depth=1`.
  /// - Returns: the clone.
  /// - Throws: when git fails.
  public func clone(_ name: String, _ options: String...) throws -> ScratchRepository {
    let copy = ScratchRepository(folder: folder, url: folder.url.appendingPathComponent(name))
    _ = try Self.run(["clone", "--quiet"] + options + ["file://\(url.path)", copy.url.path], in: folder.url)
    return copy
  }

  /// Runs git in the working tree.
  ///
  /// - Parameter arguments: git's arguments.
  /// - Returns: what git prints, without the white space around it.
  /// - Throws: when git fails.
  @discardableResult
  public func git(_ arguments: String...) throws -> String { try Self.run(arguments, in: url) }

  /// Writes a text file, with the folders on its way.
  ///
  /// - Throws: when it cannot be written.
  public func write(_ text: String, to path: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Commits everything in the working tree.
  ///
  /// - Parameter message: the commit's message.
  /// - Returns: its hash.
  /// - Throws: when git fails.
  @discardableResult
  public func commit(_ message: String = "models") throws -> String {
    try git("add", "--all")
    try git("commit", "--quiet", "--allow-empty", "--message", message)
    return try git("rev-parse", "HEAD")
  }

  /// The path of a file in the working tree.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// The environment in which git reads no user's configuration.
  public static let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }.merging([
    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "Somebody",
    "GIT_AUTHOR_EMAIL": "somebody@example.com", "GIT_COMMITTER_NAME": "Somebody",
    "GIT_COMMITTER_EMAIL": "somebody@example.com", "LC_ALL": "C",
  ]) { $1 }

  private static func run(_ arguments: [String], in folder: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = folder
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CocoaError(.executableLoad, userInfo: [NSFilePathErrorKey: arguments.joined(separator: " ")])
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
