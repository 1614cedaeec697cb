import ArgumentParser
import ModelKit

/// Removes an entity or property.
struct EditRemove: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an entity, property, constraint or index.",
    usage: """
      modelctl edit remove (<entity> | <entity.name>) [<options>]
      modelctl edit remove constraint <entity> <property> ... [<options>]
      modelctl edit remove index <entity> <name> [<options>]
      """,
    discussion: """
      EXAMPLES
        modelctl edit remove Order.note
        modelctl edit remove Order --dry-run
        modelctl edit remove constraint Order number
        modelctl edit remove index Order byNumber

      modelctl also removes and lists everything that depends on the element: the
      inverse relationship, constraints, index columns, and relationships to the
      entity. If the previous version has data in it, a migration loses this data,
      and modelctl warns you.
      """)

  @Argument(
    help: ArgumentHelp(
      "The entity or property, or a constraint or index as in the usage above.", valueName: "entity or entity.name"))
  var words: [String]

  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { options.output }

  func validate() throws {
    switch (words.first, words.count) {
    case ("constraint", 2), ("index", 2):
      throw ValidationError("name the entity and then \(words[0] == "index" ? "the index" : "its properties")")
    case ("constraint", 3...), ("index", 3): break
    case (let word?, 1):
      guard ElementArgument(argument: word) != nil else { throw ValidationError("name what to remove") }
    default: throw ValidationError("name one entity, one property, one constraint or one index")
    }
  }

  func run() throws {
    switch words.count {
    case 3... where words[0] == "constraint":
      try options.apply(.removeConstraint(Array(words.dropFirst(2)), entity: words[1]))
    case 3: try options.apply(.removeIndex(words[2], entity: words[1]))
    default:
      guard let element = ElementArgument(argument: words[0])?.element else { return }
      let target = try options.target()
      try options.apply(.remove(element), to: target, warnings: target.losses(of: element))
    }
  }
}
