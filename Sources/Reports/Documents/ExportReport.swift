import ModelDescription
public import ModelFiles
import PersistentStores
import VersionHashing

/// An exported model.
public struct ExportReport: Encodable, Hashable, Sendable {
  /// The version of the JSON form.
  public let version = 1
  /// The name of the model.
  public let model: String
  /// The path of the version's folder, or of the file.
  public let path: String
  /// The version's name; nil for a file by itself.
  public let name: String?
  /// Whether a bundle was made.
  public let isNewBundle: Bool
  /// Whether it is the current version of its bundle.
  public let isCurrent: Bool
  /// The checksum of the model's hashes.
  public let checksum: String
  /// The number of entities with a hash.
  public let entityCount: Int
  /// The settings that a `contents` file cannot express.
  public let losses: [String]

  private let isAddedAsCurrent: Bool

  private enum CodingKeys: CodingKey {
    case version, model, path, name, isNewBundle, isCurrent, checksum, entityCount, losses
  }

  /// Creates a report of an export.
  public init(_ export: ModelExport, of model: String) {
    self.model = model
    path = export.path
    name = export.versionName
    if case .bundle = export.form { isNewBundle = true } else { isNewBundle = false }
    isCurrent = export.isCurrent
    if case .version = export.form { isAddedAsCurrent = export.isCurrent } else { isAddedAsCurrent = false }
    checksum = export.hashes.checksum
    entityCount = export.hashes.entities.count
    losses = export.losses.map { "\($0)" }
  }

  /// The exported files, and the next command.
  public var text: String {
    let role = isNewBundle ? ", a new bundle with one version" : isAddedAsCurrent ? ", and now current" : ""
    return """
      \(path): made from \(model)\(role)
      \(Quantity.text(entityCount, "entity", "entities")), the same version hashes as \(model)
      next:
        modelctl show \(ShellWord(path: path).text)

      """
  }
}
