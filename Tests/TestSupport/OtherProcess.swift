import Foundation

/// Another process that uses a store: the program `StoreOccupant` of these tests.
public final class OtherProcess: @unchecked Sendable {
  /// The continued work of the process.
  public enum Deed: String, Sendable, CaseIterable {
    /// One connection runs the SQL once and is kept open.
    case hold
    /// One connection runs the SQL as a transaction over and over.
    case `repeat`
    /// A new connection for every transaction.
    case reopen
  }

  private static let program: URL? = {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let places = [Bundle.main.bundleURL, Bundle.main.executableURL].compactMap { $0 } + bundles
    return places.flatMap { [$0, $0.deletingLastPathComponent()] }
      .map { $0.appendingPathComponent("StoreOccupant") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  /// Its number.
  public var identifier: Int32 { process.processIdentifier }

  /// Starts the process and waits until it has run the SQL once.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - deed: what it goes on doing.
  ///   - sql: the statements.
  /// - Throws: when the process cannot be started, or cannot run the SQL.
  public init(holding path: String, _ deed: Deed = .hold, sql: String) throws {
    guard let program = Self.program else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "StoreOccupant"])
    }
    process.executableURL = program
    process.arguments = [path, deed.rawValue, sql]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard !output.fileHandleForReading.availableData.isEmpty else { throw CocoaError(.featureUnsupported) }
  }

  deinit { if process.isRunning { kill() } }

  /// Ends the process as a crash does, so that it cleans nothing up.
  public func kill() {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Ends the process.
  ///
  /// - Returns: how many transactions were committed, and the last error of SQLite that was not a busy store.
  @discardableResult public func end() -> (commits: Int, problem: String) {
    try? input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split(separator: "\n").last?.split(separator: " ", maxSplits: 1) ?? []
    return (words.first.flatMap { Int($0) } ?? 0, words.count > 1 ? String(words[1]) : "none")
  }
}
