import ArgumentParser

/// Adds to a model.
struct EditAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an entity, an attribute or a relationship.",
    usage: "modelctl edit add <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl edit add entity Invoice
        modelctl edit add attribute Invoice.number --type "Integer 64"
        modelctl edit add relationship Invoice.order --to Order --to-one

      What is added stands where Xcode would write it, by its name.
      """,
    subcommands: [EditAddEntity.self, EditAddAttribute.self, EditAddRelationship.self])
}
