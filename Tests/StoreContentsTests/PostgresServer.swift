import Foundation

/// A server of PostgreSQL that lives as long as the value, with data that nobody keeps, and a socket in its folder only.
final class PostgresServer {
  /// Where Debian and others install it.
  static let programs: String? = {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let places =
      folders.sorted().reversed().map { "/usr/lib/postgresql/\($0)/bin" }
      + ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    return places.first { place in
      ["initdb", "postgres", "psql"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(place)/\($0)") }
    }
  }()

  private let programs: String
  private let folder: String
  private let process = Process()

  /// Makes a cluster and starts its server.
  init() throws {
    guard let programs = Self.programs else { throw CocoaError(.executableNotLoadable) }
    self.programs = programs
    // The path of a socket has a hundred bytes at most, and the server's user must get there.
    folder = "/tmp/modelctl-pg-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    if geteuid() == 0 { _ = try Self.run("/bin/chown", ["postgres", folder]) }
    let making = asUser(
      "initdb", ["-D", "\(folder)/data", "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"])
    let (status, text) = try Self.run(making[0], Array(making.dropFirst()))
    guard status == 0 else { throw CocoaError(.executableLoad, userInfo: [NSDebugDescriptionErrorKey: text]) }
    let data = ["-D", "\(folder)/data", "-k", folder, "-c", "listen_addresses=", "-c", "logging_collector=off", "-F"]
    let command = asUser("postgres", data)
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<600 {
      if try psql(["-c", "SELECT 1"]).status == 0 { return }
      guard process.isRunning else { break }
      Thread.sleep(forTimeInterval: 0.1)
    }
    throw CocoaError(.executableLoad)
  }

  deinit {
    if process.isRunning {
      // SIGINT has it end at once.
      process.interrupt()
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// A command of one of its programs, which refuse to be run by root.
  private func asUser(_ program: String, _ arguments: [String]) -> [String] {
    let command = ["\(programs)/\(program)"] + arguments
    guard geteuid() == 0 else { return command }
    return ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] + command
  }

  /// Empties the database and runs a file of statements.
  ///
  /// - Returns: what went wrong; empty when nothing did.
  func load(_ path: String) throws -> String {
    let begin = "SET client_min_messages = error; DROP SCHEMA public CASCADE; CREATE SCHEMA public"
    let first = try psql(["-c", begin])
    guard first.status == 0 else { return first.text }
    let (status, text) = try psql(["-v", "ON_ERROR_STOP=1", "-f", path])
    return status == 0 ? "" : text
  }

  /// The result of a query, as comma-separated values.
  func rows(_ query: String) throws -> String {
    let copy = "COPY (\(query)) TO STDOUT (FORMAT csv)"
    let (status, text) = try psql(["-c", "SET timezone = 'UTC'", "-c", copy])
    guard status == 0 else { throw CocoaError(.executableLoad, userInfo: [NSDebugDescriptionErrorKey: text]) }
    return text
  }

  /// Runs a statement in a transaction of its own.
  ///
  /// - Returns: what went wrong; empty when nothing did.
  func run(_ statement: String) throws -> String {
    let (status, text) = try psql(["-v", "ON_ERROR_STOP=1", "-c", statement])
    return status == 0 ? "" : text
  }

  private func psql(_ arguments: [String]) throws -> (status: Int32, text: String) {
    try Self.run("\(programs)/psql", ["-X", "-q", "-h", folder, "-U", "tester", "-d", "postgres"] + arguments)
  }

  private static func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    let output = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: output) }
    let handle = try FileHandle(forWritingTo: output)
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    try handle.close()
    return (process.terminationStatus, try String(contentsOf: output, encoding: .utf8))
  }
}
