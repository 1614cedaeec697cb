import Foundation
import FuzzTargets
import Testing

/// The committed inputs of the fuzz targets.
enum FuzzInputs {
  /// A committed file.
  struct Input: CustomTestStringConvertible, Sendable {
    let target: FuzzTarget
    let url: URL

    var testDescription: String { "\(target.rawValue)/\(url.lastPathComponent)" }

    func data() throws -> Data { try Data(contentsOf: url) }
  }

  /// Inputs that once led to a crash, a hang or a contradiction.
  static let regressions: [Input] = FuzzTarget.allCases.flatMap { inputs(of: $0, in: "Regressions") }

  /// Few inputs that together reach all the code that fuzzing has reached.
  static func corpus(of target: FuzzTarget) -> [Input] { inputs(of: target, in: "Corpora") }

  private static func inputs(of target: FuzzTarget, in folder: String) -> [Input] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent(folder).appendingPathComponent(target.rawValue)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.sorted().map { Input(target: target, url: url.appendingPathComponent($0)) }
  }
}
