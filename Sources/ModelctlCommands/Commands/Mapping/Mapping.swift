import ArgumentParser

/// Creates, shows and checks mapping models.
struct Mapping: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mapping",
    abstract: "Create, show, check and convert mapping models.",
    usage: "modelctl mapping <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl mapping new v2 v3 > Migrations/Shop/v2-v3.xml
        modelctl mapping show Migrations/Shop/v2-v3.xml
        modelctl mapping check
        modelctl mapping convert Old.xcmappingmodel > Migrations/Shop/v1-v2.xml

      A mapping model describes a step that Core Data cannot infer. plan and migrate
      use each mapping model in the project that fits: a file in
      Migrations/<Bundle>/, an .xcmappingmodel or a .cdm.
      """,
    subcommands: [MappingNew.self, MappingShow.self, MappingCheck.self, MappingConvert.self])
}
