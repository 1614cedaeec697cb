import ArgumentParser
import ModelKit

struct EditAddEntity: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "entity",
    abstract: "Add an entity.",
    usage: "modelctl edit add entity <name> [--parent <entity>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit add entity Invoice
        modelctl edit add entity Letter --parent Document --abstract

      Xcode generates the class of the entity, unless you name a class.
      """)

  @Argument(help: "The name of the entity.")
  var name: String

  @Option(name: .long, help: ArgumentHelp("Inherit from this entity.", valueName: "entity"))
  var parent: String?

  @Flag(help: "Make the entity abstract: only its sub-entities have objects.")
  var abstract = false

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Use this class for the objects (default: the name of the entity).", valueName: "name"))
  var className: String?

  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { options.output }

  func run() throws {
    let entity = EntityDescription(
      name: name, className: className ?? name, superentityName: parent, isAbstract: abstract,
      codeGeneration: className == nil ? "class" : nil)
    try options.apply(.addEntity(entity))
  }
}
