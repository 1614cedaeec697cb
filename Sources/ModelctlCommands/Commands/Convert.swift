import ArgumentParser
import ModelKit

/// Copies a store to a store of a different type.
struct Convert: ResultCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Copy a store to SQLite, JSON, XML or binary.",
    usage: "modelctl convert <store> <new store> [--store-type <type>] [<options>]",
    discussion: """
      EXAMPLES
        modelctl convert notes.xml notes.sqlite
        modelctl convert shop.sqlite shop.json
        modelctl convert api.paw api.xml --model API.xcdatamodeld
        modelctl convert shop.sqlite shop.store --store-type binary

      modelctl finds the type of the source store from its content. The extension
      of the new store, or --store-type, sets the type of the new store. The new
      store keeps version hashes, UUID, keys, links and orders. It does not keep
      data that only SQLite stores have: counts of saves, persistent history, and
      tables of other programs. The source store does not change.
      """)

  @Argument(help: ArgumentHelp("The store.", valueName: "store"))
  var store: StorePath

  @Argument(help: ArgumentHelp("The path of the new store, which must not exist.", valueName: "new store"))
  var newStore: StorePath

  @Option(
    name: .customLong("store-type"),
    help: "Set the store type (default: from the extension .sqlite, .json, .xml or .binary).")
  var kind: ConvertedKind?

  @OptionGroup var reading: ReadingOptions
  @OptionGroup(title: "Output options") var output: OutputOptions
  @OptionGroup(title: "Output options") var style: StyleOptions

  var reserved: ReservedFiles { ReservedFiles(stores: [store.text, newStore.text]) }

  func validate() throws {
    if kind == nil, !newStore.isOfFolder, ConvertedKind(extensionOf: newStore.text) == nil {
      throw ValidationError(
        "the extension of “\(newStore.text)” does not show the store type; add --store-type sqlite, json, xml or binary"
      )
    }
  }

  func run() throws {
    try newStore.checkNamesFile()
    try output.check()
    let interrupt = Interrupt()
    let kind = kind ?? ConvertedKind(extensionOf: newStore.text) ?? .sqlite
    let workspace = try reading.models.workspace(reading.configuration).load()
    let isRaised: @Sendable () -> Bool = { interrupt.isRaised }
    // A conversion between two other store types does not need an SQLite store in between.
    let source = kind.kind == nil ? nil : StoreKinds.kind(ofFile: store.text)
    let reader =
      try source == nil
      ? workspace.reader(of: store.text, busyTimeout: reading.waiting.busyTimeout, interruption: isRaised) : nil
    defer { reader?.close() }
    let identification =
      try reader.map { try workspace.identify(by: $0) }
      ?? workspace.identify(store.text, interruption: isRaised).identification
    guard let model = identification.model else { throw WorkspaceError.noModelInStore(path: store.text) }
    let file = ModelFile(ofStore: store.text, model, content: identification.cachedContent)
    let version =
      try identification.storedVersion.map { known in
        LoadedVersion(
          bundle: known.bundle, name: known.name, isCurrent: known.isCurrent, file: file, hierarchy: known.hierarchy,
          versionHashes: known.versionHashes, parts: known.parts)
      } ?? LoadedVersion(bundle: "", name: "", isCurrent: true, file: file)
    var conversion = StoreConversion(version)
    conversion.interruption = isRaised
    let outcome = try interrupt.showingTime(of: "\(store.text): converting") {
      if let source, let kind = kind.kind {
        return try conversion.convert(store.text, of: source, to: newStore.text, kind: kind)
      }
      return try conversion.convert(
        reader ?? workspace.reader(of: store.text), to: newStore.text, kind: kind.kind)
    }
    let report = ConversionReport(
      from: store.text, to: newStore.text, kind: kind.rawValue, version: identification.version?.name,
      objects: outcome.document.objects.count, isProved: UnprovedKindText.isProved(kind.kind),
      rounded: kind == .sqlite ? conversion.roundedDecimals(of: outcome.document).count : 0,
      linksToNothing: outcome.linksToNothing, rowsOfNoEntity: outcome.rowsOfNoEntity)
    try output.write(
      text: report.text + MissingModelText.text(version.file, in: version.bundle, kind: kind.kind), document: report,
      afterWriting: [newStore.text])
  }
}
