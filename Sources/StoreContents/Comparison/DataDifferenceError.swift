import ModelDescription

/// Why two stores cannot be compared.
public enum DataDifferenceError: Error, Hashable, Sendable {
  /// The stores are of different versions; the older one comes first, with the newer one's version where both are known.
  case versions(older: String, newer: String, version: String?)
  /// The stores are of two models, each with the name of its bundle.
  case models(first: String, model: String, second: String, other: String)
  /// The stores are of one version, and hold the entities of other configurations; nil for the whole model.
  case configurations(first: String, holding: String?, second: String, against: String?)
  /// What objects are to be matched by is no stored attribute.
  case noAttribute(String)
  /// Two objects of one store have the same values where objects are matched by them.
  case notUnique(path: String, entity: String, attributes: [String], keys: [Int64])
}

extension DataDifferenceError: CustomStringConvertible {
  /// The place, the cause and what to do.
  public var description: String {
    switch self {
    case .versions(let older, let newer, let version?):
      """
      \(older) and \(newer) are of different versions, and only objects of one version can be compared; make a copy with: \
      modelctl convert \(ShellWord(path: older).text) \(ShellWord(path: Self.copy(of: older)).text); then migrate it with: \
      modelctl migrate \(ShellWord(path: Self.copy(of: older)).text) --to \(ShellWord(version).text)
      """
    case .models(let first, let model, let second, let other):
      """
      \(first) is a store of \(model) and \(second) one of \(other), and only stores of one model can be compared; see \
      what the models have in common with: modelctl diff \(ShellWord(path: first).text) \(ShellWord(path: second).text)
      """
    case .versions(let older, let newer, nil):
      """
      \(older) and \(newer) are of different versions, and only objects of one version can be compared; see which ones \
      with: modelctl status \(ShellWord(path: older).text) \(ShellWord(path: newer).text)
      """
    case .configurations(let first, let own, let second, let other):
      """
      \(first) holds \(Self.content(own)) and \(second) holds \(Self.content(other)), and only objects of the same \
      entities can be compared; compare stores of one configuration
      """
    case .noAttribute(let name):
      """
      “\(name)” is no stored attribute by which objects can be matched; name one as in Customer.email, or ask for the \
      uniqueness constraints with: --match unique
      """
    case .notUnique(let path, let entity, let attributes, let keys):
      """
      \(path): the objects \(keys.map(String.init).joined(separator: " and ")) of \(entity) have the same \
      \(attributes.joined(separator: ", ")), so that it is not known which is which; name further attributes, or match by key
      """
    }
  }

  /// The name of a copy beside a store.
  private static func copy(of path: String) -> String {
    guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/"), dot > path.startIndex else {
      return "\(path)-copy.sqlite"
    }
    return "\(path[..<dot])-copy\(path[dot...])"
  }

  private static func content(_ configuration: String?) -> String {
    configuration.map { "the entities of configuration \($0)" } ?? "all entities of the model"
  }
}
