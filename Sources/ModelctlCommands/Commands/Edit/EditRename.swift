import ArgumentParser
import ModelKit

/// Renames an entity or property.
struct EditRename: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename an entity or property; its data is kept.",
    usage: "modelctl edit rename <entity or entity.name> <name> [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit rename Order.note remark
        modelctl edit rename Order Purchase

      It gets the name that the version before knows it by as renaming
      identifier, so that a migration keeps its data; what that version does
      not have needs none. Inverses, indexes, constraints, derivations, parents,
      destinations, configurations and fetch requests follow. A predicate
      that may mean it is told, and stays as it is.
      """)

  @Argument(help: ArgumentHelp("What to rename.", valueName: "entity or entity.name"))
  var element: ElementArgument

  @Argument(help: ArgumentHelp("Its new name, without the entity's.", valueName: "name"))
  var name: String

  @OptionGroup var options: EditOptions
  @OptionGroup var color: ColorOption

  var output: OutputOptions { options.output }

  func run() throws {
    let target = try options.target()
    try options.apply(.rename(element.element, to: name, origin: target.origin(of: element.element)), to: target)
  }
}
