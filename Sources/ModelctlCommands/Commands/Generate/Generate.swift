import ArgumentParser

/// Writes Swift code from models.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write Swift code from a model.",
    usage: "modelctl generate <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl generate swift Orders@v6 --output Sources/App/Orders.swift
        modelctl generate types Orders@v6 --output Sources/App/Entities
        modelctl generate types Orders --stored --output Sources/App/Entities

      swift writes the model itself, with the same hashes; types writes a
      struct for every entity, with --stored one that a store's objects are
      read and saved as. A file that was edited since is replaced with
      --force only.
      """,
    subcommands: [GenerateSwift.self, GenerateTypes.self])
}
