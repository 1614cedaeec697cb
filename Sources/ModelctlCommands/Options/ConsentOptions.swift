import ArgumentParser
import ModelKit

/// The data losses that you allow: names, files of names, and the names in lock files.
struct ConsentOptions: ParsableArguments {
  /// The word for the names in the bundle's lock file.
  ///
  /// For a file of this name, write `@./lock`.
  static let lock = "@lock"

  @Option(
    name: .customLong("allow-data-loss"), parsing: .singleValue,
    help: ArgumentHelp(
      "Allow the loss of this Entity or Entity.property, of the names in a file (@FILE), or of the names in the lock file (@lock). You can repeat this option.",
      valueName: "name"))
  var given: [String] = []

  /// True if you allow the losses in the lock file.
  var takesLock: Bool { given.contains(Self.lock) }

  /// Reads the given files of names.
  ///
  /// The caller reads lock files, because it knows the bundles.
  ///
  /// - Returns: the names, each with its location if a file contains it.
  func names() throws -> [ConsentName] {
    try given.filter { $0 != Self.lock }.flatMap { text in
      guard text.hasPrefix("@") else { return [ConsentName(text: text, location: nil)] }
      return try ConsentFile.read(String(text.dropFirst()))
    }
  }

  /// One phrase per allowed loss.
  var decisions: [String] {
    given.map { text in
      if text == Self.lock { return "allow the losses in the lock file" }
      return text.hasPrefix("@")
        ? "allow the losses in \(text.dropFirst())" : "allow the loss of \(text)"
    }
  }
}
