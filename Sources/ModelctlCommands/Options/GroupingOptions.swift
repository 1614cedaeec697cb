import ArgumentParser
import ModelKit

/// Options of groups of objects and what is made of them.
struct GroupingOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Distinct values of a key path in place of objects, each with the number of objects that have it. Can be given more than once.",
      valueName: "key path"))
  var group: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A key path whose numbers are added up, for each group or for all objects. Can be given more than once.",
      valueName: "key path"))
  var sum: [String] = []

  var isAsked: Bool { !group.isEmpty || !sum.isEmpty }

  /// What is made of each group.
  var aggregates: [RecordAggregate] { [.count] + sum.map { .sum($0) } }
}
