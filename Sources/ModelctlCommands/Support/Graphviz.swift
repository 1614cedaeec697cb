import Foundation
import ModelKit

/// The program `dot` of Graphviz, which draws a graph.
///
/// modelctl starts only this program and git.
enum Graphviz {
  /// The formats that `dot` writes.
  enum Output: String {
    case svg
    case png
  }

  /// The reason why there is no picture.
  enum DrawingError: Error, Hashable {
    case missing
    case slow(seconds: Int)
    case tooLarge(complaint: String)
    case interrupted
    case failed(reason: String)
  }

  /// The seconds that drawing may take, because a graph of 2,000 boxes can take very long.
  private static let seconds = 60

  /// The number of warnings of `dot` that modelctl prints.
  private static let warningLimit = 5

  /// The greatest size of a picture in bytes.
  private static let limit = 256 << 20

  /// Draws a graph.
  static func draw(_ graph: DOTDiagram, as output: Output) throws(DrawingError) -> Data {
    guard let program = ChildProcess.program("dot") else { throw .missing }
    let interrupt = Interrupt()
    defer { interrupt.stop() }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-T\(output.rawValue)"]
    let end = Date().addingTimeInterval(Double(seconds))
    let result: ChildProcess.Result
    do {
      result = try ChildProcess(process).run(input: Data(graph.text.utf8), limit: limit) {
        interrupt.isRaised || Date() > end
      }
    } catch {
      switch error {
      case .stopped, .silent: throw interrupt.isRaised ? .interrupted : .slow(seconds: seconds)
      case .tooMuch(let limit): throw .failed(reason: "the picture has more than \(limit) bytes")
      case .notStarted(let reason): throw .failed(reason: reason)
      }
    }
    guard !interrupt.isRaised else { throw .interrupted }
    let complaints = String(decoding: result.errors, as: UTF8.self)
    guard result.status == 0 else {
      throw .failed(reason: String(complaints.prefix(300)).trimmingCharacters(in: .whitespacesAndNewlines))
    }
    try judge(String(complaints.prefix(10_000)), of: output)
    return result.output
  }

  /// Prints the warnings, and refuses a picture that `dot` scaled down to fit a bitmap.
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
}

extension Graphviz.DrawingError: AdvisedError {
  var place: String? { nil }

  var cause: String {
    switch self {
    case .missing: "Graphviz is needed to draw the picture, and modelctl did not find its program dot"
    case .slow(let seconds): "modelctl stopped Graphviz, because it took more than \(seconds) s to draw the picture"
    case .tooLarge(let complaint): "the picture is too large for a bitmap (\(complaint))"
    case .interrupted: "interrupted, so there is no picture"
    case .failed(let reason): "Graphviz could not draw the picture: \(reason)"
    }
  }

  var advice: Advice? {
    switch self {
    case .missing:
      """
      install the package graphviz with apt: \(run: "apt-get", "install", "graphviz"); or with Homebrew: \
      \(run: "brew", "install", "graphviz"); or choose a format without Graphviz: \(option: "--format", "mermaid")
      """
    case .slow:
      """
      draw fewer entities: \(option: "--entity", "NAME"); or draw the graph with another program, such as sfdp: \
      \(option: "--format", "dot")
      """
    case .tooLarge:
      "choose a vector format: \(option: "--format", "svg"); or draw fewer entities: \(option: "--entity", "NAME")"
    case .interrupted: nil
    case .failed: "choose a format without Graphviz: \(option: "--format", "mermaid")"
    }
  }
}
