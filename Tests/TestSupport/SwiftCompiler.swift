public import Foundation

/// The toolchain's compiler with the modules of this build, for the code that pages show and that the program prints.
public struct SwiftCompiler {
  /// Something that was run, with all it printed.
  public struct Result {
    /// The exit code.
    public let status: Int32
    /// What it printed, on both streams.
    public let output: String
  }

  /// What is missing for it to work.
  public struct Missing: Error, CustomStringConvertible {
    /// The thing that is missing.
    public let description: String
  }

  private let folder: URL
  private let searchPaths: [String]

  /// Finds the modules.
  ///
  /// - Throws: ``Missing`` when the tests do not run from the folder of a build.
  public init() throws {
    guard let folder = BuildFolder.url else { throw Missing(description: "the build folder was not found") }
    let checkouts = sequence(first: folder) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
      .map { $0.appendingPathComponent("checkouts") }.first { FileManager.default.fileExists(atPath: $0.path) }
    guard let checkouts else { throw Missing(description: "no checkouts above \(folder.path)") }
    self.folder = folder
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources")
    let modules =
      ["CSQLiteConnection", "CLibXML2", "CZlib"].map { sources.appendingPathComponent($0) } + [
        folder.appendingPathComponent("Modules"), checkouts.appendingPathComponent("GRDB.swift/Sources/GRDBSQLite"),
      ]
    let headers = try Self.run("pkg-config", ["--cflags-only-I", "libxml-2.0"]).output
      .split(whereSeparator: \.isWhitespace).map(String.init)
    searchPaths = modules.flatMap { ["-I", $0.path] } + headers.flatMap { ["-Xcc", $0] }
  }

  /// Where modules are looked for, as options of the compiler and of what extracts documentation from modules.
  public var moduleOptions: [String] { searchPaths }

  /// Compiles a program of one file in Swift 6; warnings are errors.
  ///
  /// - Parameters:
  ///   - source: the file, whose code may stand outside of functions when it is named `main.swift`.
  ///   - program: where the program goes; nil to look for errors only.
  /// - Returns: what the compiler said.
  /// - Throws: when the compiler cannot be run.
  public func compile(_ source: URL, to program: URL? = nil) throws -> Result {
    var arguments = ["-swift-version", "6", "-warnings-as-errors"] + searchPaths
    if let program {
      let objects = program.appendingPathExtension("objects")
      try libraryObjects().joined(separator: "\n").write(to: objects, atomically: true, encoding: .utf8)
      arguments += ["-o", program.path, "@\(objects.path)", "-lxml2", "-lsqlite3", "-lz"]
      arguments += [Self.cxxLibrary]
    } else {
      arguments.append("-typecheck")
    }
    return try Self.run("swiftc", arguments + [source.path])
  }

  /// The objects of the library, as the program was linked from them.
  private func libraryObjects() throws -> [String] {
    let list = folder.appendingPathComponent("modelctl.product/Objects.LinkFileList")
    let others = ["modelctl", "ModelctlCommands", "ArgumentParser", "ArgumentParserToolInfo"].map { "/\($0).build/" }
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { path in !others.contains { path.contains($0) } }
  }

  #if os(Linux)
    private static let cxxLibrary = "-lstdc++"
  #else
    private static let cxxLibrary = "-lc++"
  #endif

  /// Runs a tool that is found by its name.
  ///
  /// - Parameters:
  ///   - tool: its name.
  ///   - arguments: its arguments.
  ///   - folder: where it runs.
  /// - Returns: its exit code and what it printed.
  /// - Throws: when it cannot be run.
  public static func run(_ tool: String, _ arguments: [String], in folder: URL? = nil) throws -> Result {
    let scratch = try TemporaryFolder()
    let file = scratch.url.appendingPathComponent("output")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: try Data(contentsOf: file), as: UTF8.self))
  }
}
