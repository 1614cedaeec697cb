import AtomicStores
package import Foundation

/// A door through which hostile bytes come in, with what the commands do behind it.
///
/// libFuzzer calls ``run(_:)`` in `scripts/fuzz`; the tests replay the committed inputs through the same function.
package enum FuzzTarget: String, CaseIterable, Sendable {
  /// A model's `contents` file, or the XML archive of the older editor.
  case contents
  /// A bundle whose newest version has these bytes, against the rules of `check`.
  case bundle
  /// Three `contents` files, divided by a zero byte, as `merge` gets them.
  case merge
  /// A mapping file of ours between two sample versions.
  case mapping
  /// An `.xcmappingmodel` with the models it carries.
  case xcmappingmodel
  /// A `.mom`, a `.cdm` or a deflated model from a store.
  case archive
  /// A property list in either form.
  case plist
  /// The text of an expression.
  case expression
  /// The predicate of a request, with arguments.
  case predicate
  /// A lock file and a `.modelctl.json`.
  case settings
  /// The content of `Z_METADATA`.
  case metadata
  /// A complete SQLite file, with a write-ahead log after a mark.
  case store
  /// The same, whose objects are read.
  case query
  /// The same, of which a new store is made of all that can be read.
  case rescue
  /// A JSON store.
  case jsonstore
  /// An XML store.
  case xmlstore
  /// A binary store.
  case binarystore
  /// A text whose objects become a store's, after a line with the file's name.
  case load
  /// The schema of a CloudKit container.
  case ckdb

  /// Does with bytes what the commands do, past reading.
  ///
  /// - Parameter data: the input; an error that it leads to is right, and put into words.
  /// - Throws: ``FuzzFinding`` when a result contradicts itself.
  package func run(_ data: Data) throws(FuzzFinding) {
    do {
      try work(data)
    } catch let finding as FuzzFinding {
      throw finding
    } catch {
      _ = "\(error)"
    }
  }

  private func work(_ data: Data) throws {
    switch self {
    case .contents: try ModelTargets.contents(data)
    case .bundle: try BundleTarget.run(data)
    case .merge: try ModelTargets.merge(data)
    case .mapping: try MappingTargets.document(data)
    case .xcmappingmodel: try MappingTargets.xcode(data)
    case .archive: try ModelTargets.archive(data)
    case .plist: try PropertyListTarget.run(data)
    case .expression: try ExpressionTarget.run(data)
    case .predicate: try PredicateTarget.run(data)
    case .settings: try SettingsTarget.run(data)
    case .metadata: try StoreTargets.metadata(data)
    case .store: try StoreTargets.store(data)
    case .query: try QueryTarget.run(data)
    case .rescue: try RescueTarget.run(data)
    case .jsonstore: try DocumentTarget.run(data, JSONStoreKind())
    case .xmlstore: try DocumentTarget.run(data, XMLStoreKind())
    case .binarystore: try DocumentTarget.run(data, BinaryStoreKind())
    case .load: try LoadTarget.run(data)
    case .ckdb: try CloudKitTarget.run(data)
    }
  }
}
