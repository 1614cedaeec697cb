import ArgumentParser
import ModelKit

/// Deletes objects of a store.
struct Delete: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete objects of a store by their delete rules.",
    usage: "modelctl delete <store> <entity> --where <predicate> [<options>]",
    discussion: """
      EXAMPLES
        modelctl delete store.sqlite Order --where 'isPaid == YES' --dry-run
        modelctl delete store.sqlite Customer --where 'fullName == "Anna"'
        modelctl delete store.sqlite Order --all

      modelctl applies the delete rules of the model. Cascade also deletes the
      related objects. Nullify empties the links to a deleted object. If an object
      has links with the rule Deny, modelctl refuses to delete it. --dry-run lists
      all changes. One transaction deletes all objects or none.
      """)

  @OptionGroup var change: ChangeOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { change.output }
  var reserved: ReservedFiles { change.reserved }

  func run() throws { try change.run { transaction, request, _ in try transaction.delete(request) } }
}
