import ArgumentParser
import ModelKit

/// Writes structs for the entities of a model.
struct GenerateTypes: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Write a plain Swift struct for every entity.",
    usage: "modelctl generate types [<model>] --output <folder> [<options>]",
    discussion: """
      EXAMPLES
        modelctl generate types Orders@v6 --output Sources/App/Entities

      One file an entity and a composite type. A struct has the inherited
      properties too. Relationships hold identifiers: one, a set, or an array
      where there is an order. Nothing but Foundation is needed. All files are
      written or none.
      """)

  @Argument(help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var argument: String?

  @Option(help: ArgumentHelp("The folder to write into.", valueName: "folder"))
  var output: String

  @Flag(help: "Replace files that were edited or not generated.")
  var force = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("--output takes the path of a folder") }
  }

  func run() throws {
    let (_, file, hierarchy) = try models.resolveHierarchy(argument)
    for note in file.notes { Console.note("\(note)") }
    do {
      try models.checkHashes(argument, hierarchy)
    } catch let error as CommandError {
      guard let doubt = error.doubt else { throw error }
      Console.warn("\(doubt); the structs have what could be read")
    }
    let types = EntityTypeFiles(hierarchy, origin: GeneratedOrigin(path: file.path).words)
    try GeneratedFileWriter(replacesEverything: force).write(types.files, toFolder: output)
    let leftovers = GeneratedFileWriter.leftovers(besides: types.files, inFolder: output)
    if !leftovers.isEmpty {
      Console.note("generated before and not of this model: \(NameList.text(leftovers)) in \(output)")
    }
    Console.standardError("\(output): \(Quantity.text(types.files.count, "file"))\n")
  }
}
