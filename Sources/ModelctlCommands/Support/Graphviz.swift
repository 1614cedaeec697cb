import Foundation
import ModelKit

/// Graphviz's program `dot`, which draws a graph: the one program besides git that is started.
enum Graphviz {
  /// What `dot` makes.
  enum Output: String {
    case svg
    case png
  }

  /// Why there is no picture.
  enum Failure: Error, Hashable {
    case missing
    case slow(seconds: Int)
    case failed(reason: String)
  }

  /// How long drawing may take; a graph of two thousand boxes can take longer than anybody waits.
  private static let seconds = 60

  /// What `env` ends with when there is no such program.
  private static let notFound: Int32 = 127

  /// Draws a graph.
  ///
  /// The graph is given on standard input, from a file, so that a program that stops reading cannot block or end this one.
  ///
  /// - Parameters:
  ///   - graph: the graph in the language of Graphviz.
  ///   - output: what to make.
  /// - Returns: the picture.
  /// - Throws: ``Failure``.
  static func draw(_ graph: DOTDiagram, as output: Output) throws(Failure) -> Data {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      return try draw(graph, as: output, in: folder)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .failed(reason: error.localizedDescription)
    }
  }

  private static func draw(_ graph: DOTDiagram, as output: Output, in folder: URL) throws -> Data {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let names = ["graph", "picture", "complaints"].map(folder.appendingPathComponent)
    try Data(graph.text.utf8).write(to: names[0])
    for name in names.dropFirst() { try Data().write(to: name) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["dot", "-T\(output.rawValue)"]
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    process.standardOutput = try FileHandle(forWritingTo: names[1])
    process.standardError = try FileHandle(forWritingTo: names[2])
    try process.run()
    guard waits(for: process) else { throw Failure.slow(seconds: seconds) }
    guard process.terminationStatus != notFound else { throw Failure.missing }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let complaint = String(decoding: try Data(contentsOf: names[2]).prefix(300), as: UTF8.self)
      throw Failure.failed(reason: complaint.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return try Data(contentsOf: names[1])
  }

  /// Waits until the process ends; false when it took too long and was ended.
  private static func waits(for process: Process) -> Bool {
    let end = Date().addingTimeInterval(Double(seconds))
    while process.isRunning {
      guard Date() < end else {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return false
      }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return true
  }
}

extension Graphviz.Failure: CustomStringConvertible {
  /// What is missing or wrong, and what helps.
  var description: String {
    switch self {
    case .missing:
      """
      Graphviz is needed to draw the picture and its program dot was not found; install the package graphviz \
      (apt-get install graphviz, brew install graphviz), or use --format mermaid, dot, dbml or html
      """
    case .slow(let seconds):
      """
      Graphviz took more than \(seconds) s to draw the picture and was stopped; draw less with --entity NAME, or take \
      --format dot and another of its programs, such as sfdp
      """
    case .failed(let reason):
      "Graphviz could not draw the picture: \(reason); try --format mermaid, dot or html"
    }
  }
}
