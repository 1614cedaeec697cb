import ModelKit

/// The words that somebody typed, so that the next command to run is given with the same choices.
struct Invocation {
  /// The words of this run.
  static var current: Invocation { Invocation(CommandLine.arguments.dropFirst()) }

  /// Which models a store is held against.
  static let models = ["--model", "--configuration"]
  /// What decides how a store is migrated, consent to losses left out.
  static let migration =
    models + ["--to", "--fill", "--dedupe", "--cast", "--keep-first", "--mapping", "--policy"]
  /// The same without values.
  static let migrationFlags = ["--no-mappings", "--direct", "--force", "--in-place", "--clone"]

  private let words: [String]

  /// Takes the words behind the program's name.
  init(_ words: some Sequence<String>) { self.words = Array(words) }

  func values(of option: String) -> [String] {
    var values: [String] = []
    var rest = words[...].prefix { $0 != "--" }
    while let word = rest.popFirst() {
      if word == option, let value = rest.popFirst() {
        values.append(value)
      } else if word.hasPrefix("\(option)=") {
        values.append(String(word.dropFirst(option.count + 1)))
      }
    }
    return values
  }

  func has(_ flag: String) -> Bool { words.prefix { $0 != "--" }.contains(flag) }

  /// The options that were given, as a shell takes them, each with a space in front.
  ///
  /// - Parameter flags: those without.
  /// - Returns: nothing when none was given.
  func options(_ options: [String], flags: [String] = []) -> String {
    var kept: [String] = []
    var rest = words[...].prefix { $0 != "--" }
    while let word = rest.popFirst() {
      if flags.contains(word) {
        kept.append(word)
      } else if options.contains(word), let value = rest.popFirst() {
        kept += [word, ShellWord(value).text]
      } else if let sign = word.firstIndex(of: "="), options.contains(String(word[..<sign])) {
        kept.append(ShellWord(word).text)
      }
    }
    return kept.map { " \($0)" }.joined()
  }
}
