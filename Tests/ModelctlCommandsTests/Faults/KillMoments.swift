import Foundation
import TestSupport
import Testing

/// The moments at which tests kill the program.
///
/// `MODELCTL_TORTURE=1` has more of them; `MODELCTL_KILL_LIBRARY` names what `scripts/torture` builds, with which the program is
/// killed at each of its operations on files.
enum KillMoments {
  /// Starts the program with some variables, kills it, and looks at what is left; true where it had done its work.
  typealias Check = (_ moment: String, _ environment: [String: String], _ kill: (Process) -> Void) throws -> Bool

  static let isFull = ProcessInfo.processInfo.environment["MODELCTL_TORTURE"] != nil
  static let library = ProcessInfo.processInfo.environment["MODELCTL_KILL_LIBRARY"]

  /// Kills at random moments.
  ///
  /// - Parameters:
  ///   - title: what is printed with the figures.
  ///   - duration: how long the program takes, in seconds.
  ///   - seed: gives the moments.
  ///   - check: kills once.
  /// - Throws: what the check throws.
  static func random(_ title: String, duration: Double, seed: UInt64, _ check: Check) throws {
    var generator = SeededGenerator(seed: seed)
    var done = 0
    for _ in 0..<(isFull ? 100 : 1) {
      let share = Double.random(in: 0.2...1.05, using: &generator)
      let isDone = try check("\(share) of \(duration) s", [:]) { process in
        usleep(UInt32(duration * share * 1e6))
        kill(process.processIdentifier, SIGKILL)
      }
      done += isDone ? 1 : 0
    }
    print("kill -9, \(title), random: done \(done)")
  }

  /// Kills at each operation on a file.
  ///
  /// - Parameters:
  ///   - title: what is printed with the figures.
  ///   - counter: a file for the number of operations.
  ///   - check: kills once.
  /// - Returns: the number of operations, and of those after which the work was done.
  /// - Throws: what the check throws, and when the operations were not counted.
  @discardableResult
  static func everyOperation(
    _ title: String, counter: String, _ check: Check
  ) throws -> (operations: Int, done: Int) {
    let library = try #require(library)
    _ = try check("no moment", ["LD_PRELOAD": library, "MODELCTL_KILL_COUNT": counter]) { _ in }
    let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: counter)), as: UTF8.self)
    let operations = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    var done = 0
    for operation in 1...max(1, operations) {
      let environment = ["LD_PRELOAD": library, "MODELCTL_KILL_AT": "\(operation)"]
      done += try check("operation \(operation) of \(operations)", environment) { _ in } ? 1 : 0
    }
    print("kill -9, \(title), every operation: \(operations), done \(done)")
    return (operations, done)
  }
}
