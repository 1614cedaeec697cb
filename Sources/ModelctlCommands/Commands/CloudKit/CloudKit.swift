import ArgumentParser

/// Prints and compares the schema that CloudKit gets from a model.
struct CloudKit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cloudkit",
    abstract: "Print and compare the CloudKit schema of a model.",
    usage: "modelctl cloudkit <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl cloudkit schema
        modelctl cloudkit diff v3 cloudkit/schema.ckdb
        modelctl cloudkit diff v2 v3
        modelctl cloudkit schema v3 --merge cloudkit/schema.ckdb

      If CloudKit mirrors a store, each entity is a record type. Production refuses
      a record with a type or a field that you did not deploy. An export of the
      schema in your repository shows this before a release. On a Mac, run: xcrun
      cktool export-schema --help
      """,
    subcommands: [CloudKitSchemaOfModel.self, CloudKitDiff.self])
}
