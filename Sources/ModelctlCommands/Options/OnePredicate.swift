import ArgumentParser
import ModelKit

/// That `--where` is given once: of several it would not be clear whether all must hold or one.
enum OnePredicate {
  /// Refuses several predicates, with the one that asks for all of them.
  ///
  /// - Throws: `ValidationError`.
  static func check(_ predicates: [String]) throws {
    guard predicates.count > 1 else { return }
    let joined = predicates.map { "(\($0))" }.joined(separator: " AND ")
    throw ValidationError("give one --where; where all must hold, it is: --where \(ShellWord(joined).text)")
  }
}
