import ArgumentParser

/// Changes a model in the text of its file.
struct Edit: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Add, rename, remove, retype and set in a model file.",
    usage: "modelctl edit <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl edit add attribute Order.note --type String
        modelctl edit add relationship Order.customer --to Customer --to-one \\
          --inverse orders
        modelctl edit rename Order.note remark
        modelctl edit retype Order.number "Integer 64"
        modelctl edit set Order.number optional=no default=0
        modelctl edit remove Order.note --dry-run
        modelctl edit undo

      Prints what was done and the difference of the text. Whatever is not
      touched keeps its bytes. A version that users have is not edited: make
      the next one with modelctl new-version.
      """,
    subcommands: [EditAdd.self, EditRename.self, EditRemove.self, EditRetype.self, EditSet.self, EditUndo.self])
}
