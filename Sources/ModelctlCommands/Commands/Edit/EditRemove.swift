import ArgumentParser
import ModelKit

/// Removes an entity or property.
struct EditRemove: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an entity or property.",
    usage: "modelctl edit remove <entity or entity.name> [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit remove Order.note
        modelctl edit remove Order --dry-run

      What is nothing without it goes as well, and is told: the inverse of a
      relationship, constraints, columns of indexes; relationships to an
      entity. A migration to the version loses the data of what the version
      before has; a warning says so.
      """)

  @Argument(help: ArgumentHelp("What to remove.", valueName: "entity or entity.name"))
  var element: ElementArgument

  @OptionGroup var options: EditOptions
  @OptionGroup var color: ColorOption

  var output: OutputOptions { options.output }

  func run() throws {
    let target = try options.target()
    try options.apply(.remove(element.element), to: target, warnings: target.losses(of: element.element))
  }
}
