import ArgumentParser

/// Whether a command writes to a store that CloudKit mirrors.
struct MirroredOption: ParsableArguments {
  @Flag(name: .long, help: "Write to a store that CloudKit mirrors, too; its app may not send it.")
  var mirrored = false
}
