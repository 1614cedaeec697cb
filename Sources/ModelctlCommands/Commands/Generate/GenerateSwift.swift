import ArgumentParser
import ModelKit

/// Writes a model as Swift code.
struct GenerateSwift: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Write a model as Swift code with the same hashes.",
    usage: "modelctl generate swift [<model>] [--output <file>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl generate swift v2
        modelctl generate swift Orders@v6 --output Sources/App/Orders.swift
        modelctl generate swift store.sqlite --name Found

      The code imports ModelKit and builds the same model with the same hashes.
      """)

  @Argument(help: ModelOptions.argumentHelp)
  var argument: String?

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write to this file (default: standard output).", valueName: "file"))
  var output: String?

  @Option(help: "Give the generated type this name (default: from the bundle and the version).")
  var name: String?

  @Flag(
    name: .customLong("overwrite"), help: "Replace the file even if you edited it, or if modelctl did not generate it.")
  var force = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    guard output?.isEmpty != true else { throw ValidationError("--output needs the path of a file") }
  }

  func run() throws {
    let (_, file, hierarchy) = try models.workspace.namedModel(argument)
    for note in file.notes { Console.note("\(note)") }
    try models.checkHashes(argument, hierarchy)
    let origin = GeneratedOrigin(path: file.path)
    if let name {
      let possible = SwiftModelCode.typeName(for: name, of: hierarchy.model)
      guard possible == name else { throw CommandError.noTypeName(name, possible: possible) }
    }
    let code = SwiftModelCode(hierarchy.model, name: name ?? origin.typeName, origin: origin.words)
    let generated = GeneratedFile(name: "", code: code.text)
    guard let output else { return try Console.standardOutput(generated.text) }
    try OutputPath.check(output)
    try GeneratedFileWriter(replacesEverything: force).write(generated, to: output)
    Console.standardError("\(output): \(Quantity.text(hierarchy.model.entities.count, "entity", "entities"))\n")
  }
}
