import ArgumentParser
import ModelKit

/// Which mapping models a migration uses.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp("A mapping model to use; those found by themselves are not.", valueName: "path"))
  var mapping: [String] = []

  @Flag(name: .customLong("no-mappings"), help: "Infer everything, whatever mapping models there are.")
  var noMappings = false

  func validate() throws {
    if noMappings && !mapping.isEmpty { throw ValidationError("--mapping and --no-mappings exclude each other") }
  }

  /// Which mapping models are used.
  var choice: Workspace.MappingChoice { noMappings ? .none : mapping.isEmpty ? .found : .files(mapping) }
}
