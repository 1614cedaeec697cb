import ArgumentParser
import ModelKit

/// Which objects of a store `dump` writes.
struct DumpedPartOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "An entity whose objects are dumped, with those of the entities below it. Can be given more than once; all entities otherwise.",
      valueName: "name"))
  var entity: [String] = []

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("What must hold of an object of the one --entity.", valueName: "predicate"))
  var predicates: [String] = []

  func validate() throws {
    try OnePredicate.check(predicates)
    if !predicates.isEmpty, entity.count != 1 {
      throw ValidationError("--where is about the objects of one entity; give one --entity with it")
    }
  }
}
