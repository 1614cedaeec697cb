import ModelDescription
public import PersistentStores

/// A reason why a store does not open, or does not open as it should.
public enum RescueCause: Hashable, Sendable {
  /// No known version has the store's hashes.
  ///
  /// - Parameters:
  ///   - nearest: the version that differs least; nil if none has an entity in common.
  ///   - difference: the differences.
  case unknownVersion(nearest: String?, difference: String?)
  /// The file cannot be read as the kind of file that it is.
  case damage([String])
  /// The first 100 bytes or the list of tables is damaged.
  case damagedSchema
  /// Frames of the write-ahead log cannot be read.
  case damagedLog(frames: Int, readable: Int)
  /// The store uses a write-ahead log, and its last pages are neither in the file nor in a log beside it.
  case missingLog(name: String)
  /// The store does not have metadata, or its metadata cannot be read.
  case metadata(String)
  /// Something that the model does not allow, as `verify` finds it.
  case finding(StoreFinding)
  /// A version of Core Data newer than the newest known version wrote the store last.
  case newerFramework(version: Int64, known: Int64)

  /// A stable name for machines.
  public var kind: String {
    switch self {
    case .unknownVersion: "unknown-version"
    case .damage: "damage"
    case .damagedSchema: "damaged-schema"
    case .damagedLog: "damaged-log"
    case .missingLog: "missing-log"
    case .metadata: "metadata"
    case .finding(let finding): finding.kind.rawValue
    case .newerFramework: "newer-framework"
    }
  }

  /// Whether the store cannot be opened, or wrong data is read or written.
  public var isError: Bool {
    switch self {
    case .finding(let finding): finding.severity == .error
    case .newerFramework: false
    default: true
    }
  }
}

extension StoreFinding {
  /// The element, the sentence and the first rows.
  fileprivate var clause: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let keys = primaryKeys.map(String.init).joined(separator: ", ") + (count > primaryKeys.count ? ", …" : "")
    return (place.isEmpty ? "" : "\(place): ") + sentence + (primaryKeys.isEmpty ? "" : " (\(count), Z_PK \(keys))")
  }
}

extension RescueCause: CustomStringConvertible {
  /// The cause as a sentence, without a full stop.
  public var description: String {
    switch self {
    case .unknownVersion(let nearest?, let difference):
      "no known version has its hashes; the nearest is \(nearest)\(difference.map { ", but \($0)" } ?? "")"
    case .unknownVersion(nil, _): "no known version has its hashes, or an entity in common with it"
    case .damage(let details):
      details.prefix(TextWidth.listed(3)).joined(separator: "; ")
        + (details.count > TextWidth.listed(3) ? "; and \(details.count - 3) more" : "")
    case .damagedSchema: "its header or its list of tables is damaged"
    case .damagedLog(let frames, let readable):
      "only \(readable) of the \(frames) pages in its write-ahead log can be read"
    case .missingLog(let name):
      "its write-ahead log \(name) is missing; copy it from the original location of the store if it still exists"
    case .metadata(let cause): cause
    case .finding(let finding): finding.clause
    case .newerFramework(let version, let known):
      "Core Data \(version) wrote it last, and \(known) is the newest version with known tables"
    }
  }
}
