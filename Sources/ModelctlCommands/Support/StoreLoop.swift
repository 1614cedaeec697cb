import ArgumentParser
import ModelKit

/// Does the same to every store asked for: what one cannot is reported at once, the others still have their turn.
struct StoreLoop<Entry> {
  /// What came of the stores that could be worked on, or of all where failing gives an entry too.
  private(set) var entries: [Entry] = []
  private var errors: [any Error] = []

  /// Works on one store after another until somebody interrupts.
  ///
  /// - Parameters:
  ///   - stores: the paths.
  ///   - interrupt: asked before each store.
  ///   - failed: what a store that cannot be worked on gives, nil for nothing.
  ///   - work: what is done with a store.
  /// - Returns: what came of the stores.
  static func run(
    _ stores: [StorePath], interrupt: Interrupt, failed: (String, any Error) -> Entry? = { _, _ in nil },
    work: (String) throws -> Entry
  ) -> StoreLoop {
    var loop = StoreLoop()
    for path in stores.map(\.text) {
      do {
        if interrupt.isRaised { throw StoreError.interrupted(path: path) }
        loop.entries.append(try work(path))
      } catch {
        loop.errors.append(error)
        if let entry = failed(path, error) { loop.entries.append(entry) }
        Console.standardError(ErrorMessage.text(error, about: path))
        if interrupt.isRaised { break }
      }
    }
    return loop
  }

  /// Ends the command with the code of what went wrong.
  ///
  /// - Throws: an exit code when a store could not be worked on.
  func check() throws(ExitCode) {
    if !errors.isEmpty { throw CommandExit.code(for: errors) }
  }
}
