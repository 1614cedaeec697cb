import ArgumentParser
import ModelKit

/// Writes structs for the entities of a model.
struct GenerateTypes: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Write a plain Swift struct for every entity.",
    usage: "modelctl generate types [<model>] --output <path> [<options>]",
    discussion: """
      EXAMPLES
        modelctl generate types Orders@v6 --output Sources/App/Entities
        modelctl generate types Orders --stored --output Sources/App/Entities
        modelctl generate types Orders --stored --output Orders.swift

      One file an entity and a composite type. A struct has the inherited
      properties too. Relationships hold identifiers: one, a set, or an array
      where there is an order. Nothing but Foundation is needed. All files are
      written or none.

      --stored writes structs that ObjectStore of ModelKit reads and saves,
      with a second file beside each. They have the version of the model in
      them: a store of another one is refused, not misread.
      """)

  @Argument(help: ArgumentHelp("The model; the current version otherwise.", valueName: "model"))
  var argument: String?

  @Option(help: ArgumentHelp("The folder to write into, or one file whose name ends in .swift.", valueName: "path"))
  var output: String

  @Flag(help: "Structs that a store's objects are read and saved as.")
  var stored = false

  @Flag(help: "Replace files that were edited or not generated.")
  var force = false

  @Flag(help: ArgumentHelp("Errors in the form of a compiler's, for builds.", visibility: .hidden))
  var compilerErrors = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var color: ColorOption

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("--output takes the path of a folder or file") }
  }

  func run() throws {
    do {
      try write()
    } catch let error where compilerErrors {
      Console.standardError(ErrorMessage.compilerText(error))
      throw CommandExit.code(for: error)
    }
  }

  private func write() throws {
    let (name, file, hierarchy) = try models.workspace.namedModel(argument)
    for note in file.notes { Console.note("\(note)") }
    let types = try WorkspaceError.locating(in: file, named: name) {
      try models.warnOfOtherHashes(argument, hierarchy, "the structs have what could be read")
      let origin = GeneratedOrigin(path: file.path).words
      return stored
        ? try EntityTypeFiles(stored: hierarchy, origin: origin) : EntityTypeFiles(hierarchy, origin: origin)
    }
    let writer = GeneratedFileWriter(replacesEverything: force)
    if GeneratedFileWriter.isFile(output) {
      try OutputPlace.check(output)
      try writer.write(types.joined(name: output), to: output)
      return Console.standardError("\(output): \(Quantity.text(types.typeCount, "type"))\n")
    }
    for file in types.files { try OutputPlace.check(BundlePath.joined(output, file.name)) }
    try writer.write(types.files, toFolder: output)
    let leftovers = GeneratedFileWriter.leftovers(besides: types.files, inFolder: output)
    if !leftovers.isEmpty {
      Console.note("generated before and not of this model: \(NameList.text(leftovers)) in \(output)")
    }
    Console.standardError("\(output): \(Quantity.text(types.files.count, "file"))\n")
  }
}
