import ArgumentParser
import ModelKit

/// Renames an entity or property.
struct EditRename: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Rename an entity or property and keep its data.",
    usage: "modelctl edit rename <entity or entity.name> <name> [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit rename Order.note remark
        modelctl edit rename Order Purchase

      modelctl sets the renaming identifier to the name in the previous version, so
      that migrations keep the data. New elements do not need an identifier. It also
      changes the name in inverses, indexes, constraints, derivations, parents,
      destinations, configurations and fetch requests. It does not change predicates
      that may mention the old name; it lists them.
      """)

  @Argument(help: ArgumentHelp("The entity or property to rename.", valueName: "entity or entity.name"))
  var element: ElementArgument

  @Argument(help: ArgumentHelp("The new name, without the entity.", valueName: "name"))
  var name: String

  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { options.output }

  func run() throws {
    let target = try options.target()
    try options.apply(.rename(element.element, to: name, origin: target.origin(of: element.element)), to: target)
  }
}
