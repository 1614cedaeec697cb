import Foundation
import TestSupport
import Testing

/// The Swift compiler, with the modules and objects of this build.
struct SwiftCompiler {
  /// What a run of a program gave.
  struct Result {
    let status: Int32
    let output: String
  }

  /// What is needed of the build and is not there; a test that cannot run must not pass.
  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// The folder of the build: the one that holds the modules these tests were compiled with.
  private let build: URL

  init() throws {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let places = [Bundle.main.bundleURL, Bundle.main.executableURL].compactMap { $0 } + bundles
    let folders = places.flatMap { [$0, $0.deletingLastPathComponent()] }
    guard let build = folders.first(where: { Self.exists($0.appendingPathComponent(Self.module)) }) else {
      throw Missing(description: "no \(Self.module) in \(folders.map(\.path)); build with: swift build --build-tests")
    }
    self.build = build
  }

  private static let module = "Modules/ModelDescription.swiftmodule"

  /// Type checks files as one module.
  func typecheck(_ files: [URL], withModules: Bool = true) throws -> Result {
    let modules = withModules ? ["-I", build.appendingPathComponent("Modules").path] : []
    return try run(["-typecheck", "-parse-as-library"] + Self.strictness + modules + files.map(\.path))
  }

  /// Looks for what is found beyond types, such as literals that overflow.
  func diagnose(_ files: [URL]) throws -> Result {
    let modules = ["-I", build.appendingPathComponent("Modules").path]
    return try run(
      ["-emit-sil", "-o", "/dev/null", "-parse-as-library"] + Self.strictness + modules + files.map(\.path))
  }

  /// Compiles files to a program that has ModelDescription and VersionHashing, and runs it.
  func runProgram(_ files: [URL], in folder: TemporaryFolder) throws -> Result {
    let program = folder.path("program")
    let objects = try ["ModelDescription", "VersionHashing"].flatMap { try self.objects(of: $0) } + cryptoObjects()
    let compilation = try run(
      ["-o", program, "-I", build.appendingPathComponent("Modules").path, "-Onone"] + sanitizer + Self.strictness
        + files.map(\.path) + objects + ["-lstdc++"].filter { _ in !Self.isDarwin })
    guard compilation.status == 0 else { return compilation }
    return try Self.run(URL(fileURLWithPath: program), [])
  }

  /// What the objects were built with, told by the folder that `scripts/sanitize` builds in.
  private var sanitizer: [String] {
    ["address", "thread"].filter(build.pathComponents.contains).map { "-sanitize=\($0)" }
  }

  private static let strictness = [
    "-swift-version", "6", "-warnings-as-errors", "-enable-upcoming-feature", "ExistentialAny",
    "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility",
  ]

  private static var isDarwin: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }

  private func objects(of target: String) throws -> [String] {
    let folder = build.appendingPathComponent("\(target).build")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    let objects = names.filter { $0.hasSuffix(".o") }.sorted().map { folder.appendingPathComponent($0).path }
    guard !objects.isEmpty else { throw Missing(description: "no objects in \(folder.path)") }
    return objects
  }

  /// What VersionHashing needs of swift-crypto, as far as it is compiled: on macOS the rest is a part of the system.
  private func cryptoObjects() throws -> [String] {
    let targets = [
      "Crypto", "CryptoBoringWrapper", "CCryptoBoringSSL", "CCryptoBoringSSLShims", "CXKCP", "CXKCPShims",
    ]
    return try targets.filter { Self.exists(build.appendingPathComponent("\($0).build")) }.flatMap(objects)
  }

  private func run(_ arguments: [String]) throws -> Result {
    try Self.run(URL(fileURLWithPath: "/usr/bin/env"), ["swiftc"] + arguments)
  }

  private static func run(_ executable: URL, _ arguments: [String]) throws -> Result {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
  }

  private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
