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
  enum DrawingError: Error, Hashable {
    case missing
    case slow(seconds: Int)
    case tooLarge(complaint: String)
    case interrupted
    case failed(reason: String)
  }

  /// How long drawing may take; a graph of two thousand boxes can take longer than anybody waits.
  private static let seconds = 60

  /// How many of its warnings are passed on.
  private static let warningLimit = 5

  /// What `env` ends with when there is no such program.
  private static let notFound: Int32 = 127

  /// Draws a graph.
  ///
  /// The graph is given on standard input, from a file, so that a program that stops reading cannot block or end this one.
  static func draw(_ graph: DOTDiagram, as output: Output) throws(DrawingError) -> Data {
    let interrupt = Interrupt()
    defer { interrupt.stop() }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelctl-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      return try draw(graph, as: output, in: folder, interrupt)
    } catch let failure as DrawingError {
      throw failure
    } catch {
      throw .failed(reason: error.localizedDescription)
    }
  }

  private static func draw(
    _ graph: DOTDiagram, as output: Output, in folder: URL, _ interrupt: Interrupt
  ) throws -> Data {
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
    if let failure = wait(for: process, interrupt) { throw failure }
    guard process.terminationStatus != notFound else { throw DrawingError.missing }
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let complaint = String(decoding: try Data(contentsOf: names[2]).prefix(300), as: UTF8.self)
      throw DrawingError.failed(reason: complaint.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    try judge(String(decoding: try Data(contentsOf: names[2]).prefix(10_000), as: UTF8.self), of: output)
    return try Data(contentsOf: names[1])
  }

  /// Passes warnings on, and refuses a picture that was made smaller until it fitted a bitmap.
  private static func judge(_ complaints: String, of output: Output) throws(DrawingError) {
    var warnings: [String] = []
    for line in complaints.split(whereSeparator: \.isNewline).map(String.init) where !warnings.contains(line) {
      let isScaled = line.contains("too large") || line.contains("Scaling")
      if output == .png, isScaled { throw .tooLarge(complaint: line) }
      warnings.append(line)
    }
    for warning in warnings.prefix(warningLimit) { Console.warn("Graphviz: \(warning)") }
    let others = warnings.count - warningLimit
    if others > 0 { Console.warn("Graphviz: \(Quantity.text(others, "more warning"))") }
  }

  /// Waits until the process ends; gives why it was ended, nil when it ended itself.
  private static func wait(for process: Process, _ interrupt: Interrupt) -> DrawingError? {
    let end = Date().addingTimeInterval(Double(seconds))
    while process.isRunning {
      let failure: DrawingError? = interrupt.isRaised ? .interrupted : Date() > end ? .slow(seconds: seconds) : nil
      if let failure {
        stop(process)
        return failure
      }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return interrupt.isRaised ? .interrupted : nil
  }

  /// Ends the process, and what it started where it leads a group of its own.
  private static func stop(_ process: Process) {
    let number = process.processIdentifier
    kill(getpgid(number) == number ? -number : number, SIGKILL)
    process.waitUntilExit()
  }
}

extension Graphviz.DrawingError: CustomStringConvertible {
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
    case .tooLarge(let complaint):
      "the picture is too large to be read as a bitmap (\(complaint)); take --format svg, or draw less with --entity NAME"
    case .interrupted: "interrupted; there is no picture"
    case .failed(let reason): "Graphviz could not draw the picture: \(reason); try --format mermaid, dot or html"
    }
  }
}
