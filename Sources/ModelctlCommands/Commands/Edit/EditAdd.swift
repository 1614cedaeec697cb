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
        modelctl edit add relationship Invoice.order --destination Order --to-one
        modelctl edit add constraint Invoice number
        modelctl edit add index Invoice byNumber number date:descending

      modelctl inserts the element by its name, at the position that Xcode uses.
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

      Core Data then refuses two objects of the entity that have equal values in all
      these properties.
      """)

  @Argument(help: "The entity.")
  var entity: String

  @Argument(help: ArgumentHelp("Attributes, or to-one relationships.", valueName: "property"))
  var properties: [String]

  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

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

      A property sorts in ascending order unless you add :descending. Existing
      stores get the index only if the version hash of the entity changes too. To
      change it, run: modelctl edit set Order modifier=v4
      """)

  @Argument(help: "The entity.")
  var entity: String

  @Argument(help: "The name of the index.")
  var name: String

  @Argument(help: ArgumentHelp("Properties, each with :descending if you want that order.", valueName: "property"))
  var properties: [String]

  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

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
      throw ValidationError("“\(word)”: expected ascending or descending after the colon")
    }
  }
}
