import ArgumentParser
import ModelKit

/// Writes structs for the entities of a model.
struct GenerateTypes: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Write a plain Swift struct for each entity.",
    usage: "modelctl generate types [<model>] --output <path> [<options>]",
    discussion: """
      EXAMPLES
        modelctl generate types Orders@v6 --output Sources/App/Entities
        modelctl generate types Orders --stored --output Sources/App/Entities
        modelctl generate types Orders --stored --output Orders.swift

      modelctl writes one file per entity and per composite type, or no file if an
      error occurs. A struct also has the inherited properties. A relationship is an
      identifier, a set of identifiers, or an array if it is ordered. The code needs
      only Foundation.

      With --stored, ObjectStore of ModelKit can read and save the structs. In a
      folder, each struct then has a second file. The structs belong to one version
      of the model, and ObjectStore refuses a store of a different version.
      """)

  @Argument(help: ModelOptions.argumentHelp)
  var argument: String?

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("Write to this folder, or to this file if its name ends in .swift.", valueName: "path"))
  var output: String

  @Flag(help: "Write structs that ObjectStore can read and save.")
  var stored = false

  @Flag(
    name: .customLong("overwrite"), help: "Replace files even if you edited them, or if modelctl did not generate them."
  )
  var force = false

  @Flag(help: ArgumentHelp("Errors in the form of a compiler's, for builds.", visibility: .hidden))
  var compilerErrors = false

  @OptionGroup(title: "Model options") var models: ModelOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("--output needs the path of a folder or file") }
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
      try models.warnOfOtherHashes(argument, hierarchy, "the structs contain only the parts that modelctl could read")
      let origin = GeneratedOrigin(path: file.path).words
      return stored
        ? try EntityTypeFiles(stored: hierarchy, origin: origin) : EntityTypeFiles(hierarchy, origin: origin)
    }
    let writer = GeneratedFileWriter(replacesEverything: force)
    if GeneratedFileWriter.isFile(output) {
      try OutputPath.check(output)
      try writer.write(types.joined(name: output), to: output)
      return Console.standardError("\(output): \(Quantity.text(types.typeCount, "type"))\n")
    }
    for file in types.files { try OutputPath.check(BundlePath.joined(output, file.name)) }
    try writer.write(types.files, toFolder: output)
    let leftovers = GeneratedFileWriter.leftovers(besides: types.files, inFolder: output)
    if !leftovers.isEmpty {
      Console.note("\(output) contains files of an earlier model: \(NameList.text(leftovers))")
    }
    Console.standardError("\(output): \(Quantity.text(types.files.count, "file"))\n")
  }
}
