import ArgumentParser

/// Makes, shows and checks mapping models.
struct Mapping: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mapping",
    abstract: "Make, show and check mapping models.",
    usage: "modelctl mapping <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl mapping new v2 v3 > Migrations/Shop/v2-v3.xml
        modelctl mapping show Migrations/Shop/v2-v3.xml
        modelctl mapping check
        modelctl mapping convert Old.xcmappingmodel > Migrations/Shop/v1-v2.xml

      A mapping model says what inference cannot know. A file in
      Migrations/<Bundle>/, an .xcmappingmodel or a .cdm in the project
      is used by plan and migrate wherever it fits.
      """,
    subcommands: [MappingNew.self, MappingShow.self, MappingCheck.self, MappingConvert.self])
}
