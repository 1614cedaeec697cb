import ArgumentParser

/// The path of a store; an empty one, as an unset variable of a shell gives, is wrong usage.
struct StorePath: ExpressibleByArgument {
  let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }
}
