import ArgumentParser
import Foundation
import ModelKit

/// Makes a store.
struct Create: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a new store of a model version, empty or filled with valid synthetic rows.",
    discussion: """
      EXAMPLES
        modelctl create store.sqlite --version v1
        modelctl create store.sqlite --version Orders@v1 --rows 1000 --seed 7
      """)

  @Argument(help: "The store to make; nothing may be there.")
  var store: String

  @Option(name: .customLong("version"), help: "The model; the current version otherwise.")
  var modelVersion: String?

  @Option(name: .long, help: "The number of rows of every entity that is not abstract.")
  var rows = 0

  @Option(name: .long, help: "The seed of the rows: the same seed gives the same rows.")
  var seed: UInt64 = 1

  @Option(name: .long, help: "The store's UUID; a new one otherwise.")
  var uuid: String?

  @Option(name: .long, help: "Only the entities of this configuration.")
  var configuration: String?

  @OptionGroup var models: ModelOptions

  func validate() throws {
    guard (0...SyntheticRows.maximumRowsPerEntity).contains(rows) else {
      throw ValidationError("--rows takes a number from 0 to \(SyntheticRows.maximumRowsPerEntity)")
    }
    if let uuid, UUID(uuidString: uuid) == nil { throw ValidationError("--uuid takes a UUID") }
  }

  func run() throws {
    let (name, file) = try models.resolve(modelVersion)
    var model = file.model
    if let configuration {
      guard let part = model.restricted(toConfiguration: configuration) else {
        throw CommandError.badModel(name: name, reason: "it has no configuration named \(configuration)")
      }
      model = part
    }
    let creator: StoreCreator
    do {
      creator = try StoreCreator(of: EntityHierarchy(model))
    } catch {
      throw CommandError.badModel(name: file.location(of: error.element).map { "\($0)" } ?? name, reason: "\(error)")
    }
    for warning in creator.layout.warnings { Console.standardError("warning: \(warning)\n") }
    let interrupt = Interrupt()
    try creator.create(
      at: store, uuid: uuid.flatMap(UUID.init(uuidString:)) ?? UUID(),
      filling: rows > 0 ? SyntheticRows(seed: seed, rowsPerEntity: rows) : nil,
      interruption: { interrupt.isRaised })
    Console.standardOutput("\(store): made with version \(name)\(rows > 0 ? ", \(rows) rows an entity" : "")\n")
  }
}
