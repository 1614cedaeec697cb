import ArgumentParser
import Foundation
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
    let (name, file, hierarchy) = try models.resolveHierarchy(argument)
    for note in file.notes { Console.note("\(note)") }
    let types: EntityTypeFiles
    do {
      types = try self.types(of: hierarchy, file)
    } catch let error as ModelStructureError {
      throw WorkspaceError(error, in: file, named: name)
    }
    let writer = GeneratedFileWriter(replacesEverything: force)
    for path in isFile ? [output] : types.files.map({ BundlePath.joined(output, $0.name) }) {
      try OutputPlace.check(path)
    }
    guard !isFile else {
      try writer.write(types.joined(name: output), to: output)
      Console.standardError("\(output): \(Quantity.text(types.typeCount, "type"))\n")
      return
    }
    try writer.write(types.files, toFolder: output)
    let leftovers = GeneratedFileWriter.leftovers(besides: types.files, inFolder: output)
    if !leftovers.isEmpty {
      Console.note("generated before and not of this model: \(NameList.text(leftovers)) in \(output)")
    }
    Console.standardError("\(output): \(Quantity.text(types.files.count, "file"))\n")
  }

  private func types(of hierarchy: EntityHierarchy, _ file: ModelFile) throws -> EntityTypeFiles {
    do {
      try models.checkHashes(argument, hierarchy)
    } catch let error as CommandError {
      guard let doubt = error.doubt else { throw error }
      Console.warn("\(doubt); the structs have what could be read")
    }
    let origin = GeneratedOrigin(path: file.path).words
    return try stored ? EntityTypeFiles(stored: hierarchy, origin: origin) : EntityTypeFiles(hierarchy, origin: origin)
  }

  /// A folder that is there stays one, whatever its name.
  private var isFile: Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    return output.hasSuffix(".swift") && !(exists && isFolder.boolValue)
  }
}
