import ArgumentParser
import ModelKit

/// Deletes objects of a store.
struct Delete: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete objects of a store, as their delete rules say.",
    usage: "modelctl delete <store> <entity> --where <predicate> [<options>]",
    discussion: """
      EXAMPLES
        modelctl delete store.sqlite Order --where 'isPaid == YES' --dry-run
        modelctl delete store.sqlite Customer --where 'fullName == "Anna"'
        modelctl delete store.sqlite Order --all

      Cascade deletes what an object has, Nullify empties what points at it,
      Deny keeps it. --dry-run lists all of them. One transaction deletes all
      objects or none.
      """)

  @OptionGroup var change: ChangeOptions
  @OptionGroup var color: ColorOption

  var output: OutputOptions { change.output }
  var reserved: ReservedFiles { change.reserved }

  func run() throws { try change.run { transaction, request, _ in try transaction.delete(request) } }
}
