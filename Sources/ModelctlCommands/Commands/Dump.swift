import ArgumentParser
import Foundation
import ModelKit

/// Writes the objects of a store as text.
struct Dump: ModelctlCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Write the objects of a store as JSON, CSV or SQL.",
    usage: "modelctl dump <store> [--output <path>] [--format <format>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl dump store.sqlite --output store.json
        modelctl dump store.sqlite --format jsonl | grep '"entity": "Order"'
        modelctl dump store.sqlite --output tables.csv
        modelctl dump store.sqlite --entity Order --where 'isPaid == NO' --format csv
        modelctl dump store.sqlite --format sqlite | sqlite3 plain.db
        modelctl dump store.sqlite --format postgresql | psql shop

      FORMATS
        json        a JSON store, which all commands read
        jsonl       one line per object, with its entity
        csv         a folder with one file per entity; links are keys
        sqlite      SQL for a plain SQLite database: tables, foreign keys, rows
        postgresql  the same for PostgreSQL

      The extension of the output sets the format (.json, .jsonl or .csv). For SQL,
      add --format. For other names, and for standard output, it is json. Memory use
      does not grow with the store. If you dump a part of a store, some links point
      to objects that are not in the dump. To get a part with all that it needs, use
      modelctl extract. modelctl does not change the store.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp(
      "Write to this file, or to this folder for csv (default: standard output). The path must not exist.",
      valueName: "path"))
  var output: StorePath?

  @Option(name: .long, help: "Set the format.")
  var format: DumpFormatOption?

  @Flag(
    name: .customLong("skip-missing-files"),
    help: "If a file of external data is missing, leave the value empty and count it.")
  var skipsMissingFiles = false

  @OptionGroup var part: DumpedPartOptions
  @OptionGroup var reading: ReadingOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  func validate() throws {
    if format == nil, output?.text.lowercased().hasSuffix(".sql") == true {
      throw ValidationError("SQL differs between databases: add --format sqlite or --format postgresql")
    }
  }

  func run() throws {
    let format = format ?? output.flatMap { DumpFormatOption(extensionOf: $0.text) } ?? .json
    if format != .csv { try output?.checkNamesFile(such: "store.\(format.fileExtension)") }
    let interrupt = Interrupt()
    let (reader, workspace) = try reading.open(store, interrupt)
    defer { reader.close() }
    let hierarchy = try EntityHierarchy(workspace.model(by: reader).model)
    var dump = try StoreDump(as: format.format, entities: part.entity, where: part.predicates.first)
    dump.skipsMissingFiles = skipsMissingFiles
    let outcome: StoreDump.Outcome
    if let output {
      outcome = try write(dump, reader, of: hierarchy, to: output.text)
      try Console.standardOutput(DumpText.text(outcome, at: output.text))
    } else {
      outcome = try dump.write(reader, of: hierarchy) { try Console.standardOutputWhileRead(Data($0)) }
    }
    for note in DumpText.notes(on: outcome) { Console.note(note) }
  }

  private func write(
    _ dump: StoreDump, _ reader: StoreReader, of model: EntityHierarchy, to path: String
  ) throws -> StoreDump.Outcome {
    let progress = ProgressLine()
    defer { progress.finish() }
    return try dump.write(reader, of: model, to: path) { progress.show(written: $0, to: path) }
  }
}

enum DumpFormatOption: String, ExpressibleByArgument, CaseIterable {
  case json
  case jsonl
  case csv
  case sqlite
  case postgresql

  init?(extensionOf path: String) {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonl
    case "csv": self = .csv
    default: return nil
    }
  }

  /// The file extension of the format.
  var fileExtension: String {
    switch self {
    case .json, .jsonl, .csv: rawValue
    case .sqlite, .postgresql: "sql"
    }
  }

  var format: StoreDumpFormat {
    switch self {
    case .json: .json
    case .jsonl: .jsonLines
    case .csv: .csv
    case .sqlite: .sql(.sqlite)
    case .postgresql: .sql(.postgresql)
    }
  }
}

/// The objects of a store that `dump` writes.
struct DumpedPartOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "Dump only the objects of this entity and its sub-entities (default: all entities). You can repeat this option.",
      valueName: "name"))
  var entity: [String] = []

  @Option(
    name: .customLong("where"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Dump only the objects that match this NSPredicate. You must also give one --entity.", valueName: "predicate"))
  var predicates: [String] = []

  func validate() throws {
    try OnePredicate.check(predicates)
    if !predicates.isEmpty, entity.count != 1 {
      throw ValidationError("--where selects objects of a single entity; give exactly one --entity")
    }
  }
}
