import ArgumentParser
import ModelKit

struct EditAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add an entity, property, constraint or index.",
    usage: "modelctl edit add <subcommand> ...",
    discussion: """
      EXAMPLES
        modelctl edit add entity Invoice
        modelctl edit add attribute Invoice.number --type "Integer 64"
        modelctl edit add relationship Invoice.order --to Order --to-one
        modelctl edit add constraint Invoice number
        modelctl edit add index Invoice byNumber number date:descending

      What is added stands where Xcode would write it, by its name.
      """,
    subcommands: [
      EditAddEntity.self, EditAddAttribute.self, EditAddRelationship.self, EditAddConstraint.self, EditAddIndex.self,
    ])
}

struct EditAddConstraint: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "constraint",
    abstract: "Add a uniqueness constraint to an entity.",
    usage: "modelctl edit add constraint <entity> <property> ... [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit add constraint Order number
        modelctl edit add constraint Order shop number

      No two objects of the entity may have the same values of all properties.
      """)

  @Argument(help: "The entity.")
  var entity: String

  @Argument(help: ArgumentHelp("Attributes, and relationships to one object.", valueName: "property"))
  var properties: [String]

  @OptionGroup var options: EditOptions
  @OptionGroup var color: ColorOption

  var output: OutputOptions { options.output }

  func run() throws { try options.apply(.addConstraint(properties, entity: entity)) }
}

struct EditAddIndex: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Add an index to an entity.",
    usage: "modelctl edit add index <entity> <name> <property> ... [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit add index Order byNumber number
        modelctl edit add index Order byDate date:descending number

      A property sorts upwards unless :descending follows it. Stores get the
      index only if the version hash of the entity changes too, such as by
      modelctl edit set Order modifier=v4.
      """)

  @Argument(help: "The entity.")
  var entity: String

  @Argument(help: "The index's name.")
  var name: String

  @Argument(help: ArgumentHelp("A property, perhaps with :descending behind it.", valueName: "property"))
  var properties: [String]

  @OptionGroup var options: EditOptions
  @OptionGroup var color: ColorOption

  var output: OutputOptions { options.output }

  func run() throws {
    let elements = properties.map { word in
      let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return FetchIndexDescription.Element(
        subject: .property(parts[0]), isAscending: parts.count < 2 || parts[1] != "descending")
    }
    try options.apply(.addIndex(FetchIndexDescription(name: name, elements: elements), entity: entity))
  }

  func validate() throws {
    for word in properties {
      let order = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
      guard let order, order != "ascending", order != "descending" else { continue }
      throw ValidationError("“\(word)”: behind the colon stands ascending or descending")
    }
  }
}
