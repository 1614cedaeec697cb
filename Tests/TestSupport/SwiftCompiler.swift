public import Foundation

/// The toolchain's compiler with the modules and objects of this build, for the code that pages show and that the
/// program writes.
public struct SwiftCompiler {
  /// Something that was run, with all it printed.
  public struct Result {
    /// The exit code.
    public let status: Int32
    /// The output of both streams.
    public let output: String
  }

  /// A missing part of the build; a test that cannot run must not pass.
  public struct Missing: Error, CustomStringConvertible {
    /// The missing part, and how to build it.
    public let description: String
  }

  /// Where the modules of this build and those they stand on are, as options of the compiler.
  public let moduleOptions: [String]
  private let build: URL

  /// Finds the modules.
  ///
  /// - Throws: ``Missing`` when the tests do not run from the folder of a build.
  public init() throws {
    guard let build = BuildFolder.url else {
      throw Missing(description: "no program beside the tests; build with: swift build --build-tests")
    }
    let above = sequence(first: build) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }
    let found = above.map { $0.appendingPathComponent("checkouts/GRDB.swift/Sources/GRDBSQLite") }.first(
      where: Self.exists)
    guard let database = found else { throw Missing(description: "no checkout of GRDB above \(build.path)") }
    let sources = ["CSQLiteConnection", "CLibXML2", "CZlib"].map {
      SampleModels.package.appendingPathComponent("Sources/\($0)")
    }
    let flags = try Self.run("pkg-config", ["--cflags-only-I", "libxml-2.0"])
    let headers = (flags.status == 0 ? flags.output : "")
      .split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
    self.build = build
    moduleOptions =
      (sources + [build.appendingPathComponent("Modules"), database]).flatMap { ["-I", $0.path] } + headers
  }

  /// Looks for errors in files as one module; one named `main.swift` may have code outside of functions.
  ///
  /// - Parameters:
  ///   - files: the files.
  ///   - isDeep: true to look for what is found beyond types as well, such as literals that overflow.
  ///   - withModules: false for code that may need nothing but Foundation.
  /// - Returns: what the compiler said.
  /// - Throws: when it cannot be run.
  public func check(_ files: [URL], isDeep: Bool = false, withModules: Bool = true) throws -> Result {
    try compile(
      files, (isDeep ? ["-emit-sil", "-o", "/dev/null"] : ["-typecheck"]) + (withModules ? moduleOptions : []))
  }

  /// Compiles files to a program with the library, and runs it.
  ///
  /// - Parameters:
  ///   - files: the files, `main.swift` among them.
  ///   - folder: where it is made and runs.
  /// - Returns: what the program gave; what the compiler said when it refused.
  /// - Throws: when either cannot be run.
  public func run(_ files: [URL], in folder: TemporaryFolder) throws -> Result {
    let program = folder.url.appendingPathComponent("program")
    let objects = folder.url.appendingPathComponent("objects")
    try libraryObjects().map { "\"\($0)\"" }.joined(separator: "\n").write(
      to: objects, atomically: true, encoding: .utf8)
    let compilation = try compile(
      files,
      ["-o", program.path, "-Onone", "@\(objects.path)", "-lxml2", "-lsqlite3", "-lz", Self.cxxLibrary] + sanitizer
        + moduleOptions)
    return compilation.status == 0 ? try Self.run(program.path, [], in: folder.url) : compilation
  }

  private func compile(_ files: [URL], _ options: [String]) throws -> Result {
    let library = files.contains { $0.lastPathComponent == "main.swift" } ? [] : ["-parse-as-library"]
    return try Self.run("swiftc", Self.strictness + library + options + files.map(\.path))
  }

  private static let strictness = [
    "-swift-version", "6", "-warnings-as-errors", "-enable-upcoming-feature", "ExistentialAny",
    "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
  ]

  /// What the objects were built with, told by the folder that `scripts/sanitize` builds in.
  private var sanitizer: [String] {
    ["address", "thread"].filter(build.pathComponents.contains).map { "-sanitize=\($0)" }
  }

  /// The objects of the library, as the program was linked from them: the build folder may hold older ones as well.
  private func libraryObjects() throws -> [String] {
    let list = build.appendingPathComponent("modelctl.product/Objects.LinkFileList")
    let others = ["modelctl", "ModelctlCommands", "ArgumentParser", "ArgumentParserToolInfo"].map { "/\($0).build/" }
    let objects = try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
      .filter { path in !others.contains { path.contains($0) } }
    guard !objects.isEmpty else { throw Missing(description: "no objects in \(list.path)") }
    return objects
  }

  #if canImport(Darwin)
    private static let cxxLibrary = "-lc++"
  #else
    private static let cxxLibrary = "-lstdc++"
  #endif

  /// Runs a tool that is found by its name.
  ///
  /// - Parameters:
  ///   - tool: its name or path.
  ///   - arguments: its arguments.
  ///   - folder: where it runs.
  /// - Returns: its exit code and what it printed.
  /// - Throws: when it cannot be run.
  public static func run(_ tool: String, _ arguments: [String], in folder: URL? = nil) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }

  private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
