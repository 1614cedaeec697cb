import ArgumentParser
import ModelKit

/// What may be lost: names, files of names, and what lock files have accepted.
struct ConsentOptions: ParsableArguments {
  /// What stands for the names that the bundle's lock file has accepted; a file of that name is `@./lock`.
  static let lock = "@lock"

  @Option(
    name: .customLong("allow-data-loss"), parsing: .singleValue,
    help: ArgumentHelp(
      "Allow the loss of this Entity or Entity.property, of the names in a file (@FILE), or of the names in the lock file (@lock). You can repeat this option.",
      valueName: "name"))
  var given: [String] = []

  /// True when the lock file's names are consented to.
  var takesLock: Bool { given.contains(Self.lock) }

  /// Reads the files that were named; lock files are read where the bundles are known.
  ///
  /// - Returns: the names, each with its location when it stands in a file.
  func names() throws -> [ConsentName] {
    try given.filter { $0 != Self.lock }.flatMap { text in
      guard text.hasPrefix("@") else { return [ConsentName(text: text, location: nil)] }
      return try ConsentFile.read(String(text.dropFirst()))
    }
  }

  /// What was allowed, a sentence each.
  var decisions: [String] {
    given.map { text in
      if text == Self.lock { return "the losses that the lock file has accepted are allowed" }
      return text.hasPrefix("@")
        ? "the losses named in \(text.dropFirst()) are allowed" : "the loss of \(text) is allowed"
    }
  }
}
