import ArgumentParser
import ModelKit

/// Options that name a fetch request template of a model in place of an entity.
struct TemplateOptions: ParsableArguments {
  @Option(
    name: .customLong("template"),
    help: ArgumentHelp("A fetch request template of the model, in place of an entity.", valueName: "name"))
  var name: String?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "What stands for a variable of the template. Can be given more than once.", valueName: "name=value"))
  var argument: [String] = []

  func validate() throws {
    guard name != nil || argument.isEmpty else { throw ValidationError("--argument is for a --template") }
    for text in argument where RecordAssignment(text) == nil {
      throw ValidationError("--argument \(text): write name=value")
    }
  }

  /// The template's request; nil when none is named.
  func request(of hierarchy: EntityHierarchy) throws -> RecordRequest? {
    guard let name else { return nil }
    let pairs = argument.compactMap(RecordAssignment.init).map { ($0.property, $0.text ?? "") }
    return try RecordRequest(template: name, of: hierarchy, texts: Dictionary(pairs) { _, last in last })
  }
}
