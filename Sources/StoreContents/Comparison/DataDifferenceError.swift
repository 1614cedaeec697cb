public import ModelDescription

/// The reason why the objects of two stores cannot be compared.
public enum DataDifferenceError: AdvisedError, Hashable {
  /// The stores are of different versions; the older store is first, and the newer store's version is nil if either
  /// version is unknown.
  case versions(older: String, newer: String, version: String?)
  /// The stores are of two models; each is given with the name of its bundle.
  case models(first: String, model: String, second: String, other: String)
  /// The stores have the entities of different configurations; nil is the complete model.
  case configurations(first: String, holding: String?, second: String, against: String?)
  /// The name to match objects by is not a stored attribute.
  case noAttribute(String)
  /// Two objects of a store have the same values of the attributes to match by.
  case notUnique(path: String, entity: String, attributes: [String], keys: [Int64])

  /// The store with ambiguous objects; nil for other errors, which are about two stores.
  public var place: String? {
    guard case .notUnique(let path, _, _, _) = self else { return nil }
    return path
  }

  /// The cause.
  public var cause: String {
    switch self {
    case .versions(let older, let newer, _):
      "\(older) and \(newer) are of different versions, and only stores of the same version can be compared"
    case .models(let first, let model, let second, let other):
      """
      \(first) is a store of \(model) and \(second) is a store of \(other), and only stores of the same model can be \
      compared
      """
    case .configurations(let first, let own, let second, let other):
      """
      \(first) has \(Self.content(own)) and \(second) has \(Self.content(other)), and only stores of the same entities \
      can be compared
      """
    case .noAttribute(let name): "“\(name)” is not a stored attribute, so objects cannot be matched by it"
    case .notUnique(_, let entity, let attributes, let keys):
      """
      the objects \(keys.map(String.init).joined(separator: " and ")) of \(entity) have the same \
      \(attributes.joined(separator: ", ")), so they cannot be matched
      """
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch self {
    case .versions(let older, _, let version?):
      """
      make a copy of the older store: \(run: "modelctl", "convert", ShellWord.argument(older), Self.copy(of: older)); \
      then migrate the copy: \(run: "modelctl", "migrate", Self.copy(of: older), "--to", version)
      """
    case .versions(let older, let newer, nil):
      "see the versions: \(run: "modelctl", "status", ShellWord.argument(older), ShellWord.argument(newer))"
    case .models(let first, _, let second, _):
      "compare the models: \(run: "modelctl", "diff", ShellWord.argument(first), ShellWord.argument(second))"
    case .configurations: "compare stores of one configuration"
    case .noAttribute:
      "write it as in Customer.email, or match by the uniqueness constraints: \(option: "--match", "unique")"
    case .notUnique: "name more attributes, or match by key"
    }
  }

  /// The path of a copy beside a store, as an argument of a command.
  private static func copy(of path: String) -> String {
    let path = ShellWord.argument(path)
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/"), dot > path.startIndex else {
      return "\(path)-copy.sqlite"
    }
    return "\(path[..<dot])-copy\(path[dot...])"
  }

  private static func content(_ configuration: String?) -> String {
    configuration.map { "the entities of configuration \($0)" } ?? "all entities of the model"
  }
}
