import ArgumentParser
import ModelKit

/// Changes settings of an entity or property.
struct EditSet: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Change settings of an entity or property.",
    usage: "modelctl edit set <entity or entity.name> <setting=value> ... [<options>]",
    discussion: """
      EXAMPLES
        modelctl edit set Order.total optional=no default=0
        modelctl edit set Order.note maximum=200 regular-expression='^[^<]*$'
        modelctl edit set Order.rows delete-rule=cascade count=1.. ordered=yes
        modelctl edit set Order.remark renaming-identifier=note
        modelctl edit set Letter parent=Document
        modelctl edit set Order.note default=       remove the default value

      SETTINGS
        attribute     optional, required, transient, default, minimum, maximum,
                      regular-expression, external-storage, scalar, transformer,
                      class, modifier, renaming-identifier
        relationship  optional, required, transient, count, ordered,
                      delete-rule, modifier, renaming-identifier
        entity        abstract, parent, class, modifier, renaming-identifier

      VALUES
        optional=yes          yes or no for each setting that is on or off
        count=2..5            one, many, or a range
        delete-rule=cascade   nullify, cascade, deny or no-action
        default=2026-01-31    a date, for an attribute of type Date
        maximum=200           a number or a date; for a string, its maximum length
        default=              no value: removes the setting

      If one of the settings is invalid, modelctl changes none of them.
      """)

  @Argument(help: ArgumentHelp("The entity or property to change.", valueName: "entity or entity.name"))
  var element: ElementArgument

  @Argument(help: ArgumentHelp("A setting and its value, such as default=0.", valueName: "setting=value"))
  var settings: [String] = []

  @OptionGroup var options: EditOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var output: OutputOptions { options.output }

  func validate() throws {
    if settings.isEmpty { throw ValidationError("name a setting and its value, such as optional=no") }
    for text in settings {
      guard let change = SettingArgument(text) else {
        throw ValidationError("“\(text)” is not a setting with a value, such as optional=no")
      }
      guard change.setting == nil else { continue }
      guard case .entity = element.element else {
        // Only the model shows if the property is an attribute or a relationship.
        let known = Set(["attribute", "relationship"].flatMap(ElementSetting.all(of:)).map(\.rawValue)).sorted()
        guard NearNames.close(to: change.word, among: known).isEmpty else { throw Self.unknown(change, known) }
        continue
      }
      throw Self.unknown(change, ElementSetting.all(of: "entity").map(\.rawValue))
    }
  }

  private static func unknown(_ change: SettingArgument, _ known: [String]) -> ValidationError {
    if change.word == "type" { return ValidationError("edit set cannot change a type; use modelctl edit retype") }
    return ValidationError("there is no setting “\(change.word)”\(NameAdvice.text(for: change.word, among: known))")
  }

  /// Refuses an unknown setting of the attribute or relationship.
  private func checkSettings() throws {
    let unknown = settings.compactMap(SettingArgument.init).first { $0.setting == nil }
    guard let unknown, case .property(let entity, let name) = element.element else { return }
    let model = try ModelSource.file(path: options.target().path, form: .contents).load().model
    let isRelationship =
      model.entities.first { $0.name == entity }?.relationships.contains { $0.name == name } ?? false
    throw Self.unknown(unknown, ElementSetting.all(of: isRelationship ? "relationship" : "attribute").map(\.rawValue))
  }

  func run() throws {
    try checkSettings()
    let changes = settings.compactMap(SettingArgument.init).compactMap { argument in
      argument.setting.map { SettingChange($0, argument.text) }
    }
    try options.apply(.set(element.element, changes))
  }
}

/// A setting as the user types it: `default=0`.
private struct SettingArgument {
  let word: String
  let text: String

  init?(_ argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
    (word, text) = (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }

  var setting: ElementSetting? { ElementSetting(rawValue: word.lowercased()) }
}
