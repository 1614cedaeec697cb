import Foundation
import TestSupport
import Testing

/// The properties of every refused command: exit code 2, one `error:`, no data, and an unchanged folder.
enum Refusal {
  /// Expects a run to be refused.
  ///
  /// - Parameters:
  ///   - arguments: the command.
  ///   - words: what the message must say, the place first.
  ///   - workspace: where it runs.
  ///   - sourceLocation: the test's line.
  /// - Throws: when the program cannot be run.
  static func expect(
    _ arguments: [String], says words: [String], in workspace: SampleFolder,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let before = try workspace.contents()
    let result = try Modelctl.run(arguments, in: workspace)
    let message = result.standardError
    let comment = Comment(rawValue: "\(arguments.joined(separator: " ")): \(message)")
    #expect(result.status == 2, comment, sourceLocation: sourceLocation)
    #expect(result.standardOutput.isEmpty, comment, sourceLocation: sourceLocation)
    #expect(message.components(separatedBy: "error: ").count == 2, comment, sourceLocation: sourceLocation)
    for word in words { #expect(message.contains(word), comment, sourceLocation: sourceLocation) }
    #expect(try workspace.contents() == before, comment, sourceLocation: sourceLocation)
  }
}
