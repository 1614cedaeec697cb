import ArgumentParser
import ModelKit

/// Writes a mapping file that says what inference would do.
struct MappingNew: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a mapping file that says what inference would do.",
    usage: "modelctl mapping new <source> <destination> [--model <path>]",
    discussion: """
      EXAMPLES
        modelctl mapping new v2 v3 > Migrations/Shop/v2-v3.xml
        modelctl mapping new Shop@v2 Shop@v3

      What is left to decide stands in comments beside its place.
      """)

  @Argument(help: "The model that stores have.")
  var source: String

  @Argument(help: "The model they get.")
  var destination: String

  @OptionGroup var models: ModelOptions
  @OptionGroup var color: ColorOption

  func run() throws {
    let (sourceName, _, former) = try models.resolveHierarchy(source)
    let (destinationName, _, latter) = try models.resolveHierarchy(destination)
    try Console.standardOutput(
      MappingFileWriter.template(
        from: former, to: latter, sourceVersion: Self.version(sourceName),
        destinationVersion: Self.version(destinationName)))
  }

  /// The version's name alone, as mapping files write it.
  private static func version(_ name: String) -> String {
    name.lastIndex(of: "@").map { String(name[name.index(after: $0)...]) } ?? name
  }
}
