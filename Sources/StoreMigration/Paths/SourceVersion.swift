import ModelDescription
import PersistentStores

/// The version of a store and the versions it may get, as a store of its configuration sees them.
struct SourceVersion {
  /// The store's version.
  let version: KnownVersion
  /// The bundle's versions, restricted to the store's configuration.
  let versions: [KnownVersion]
  /// The version to reach, restricted likewise.
  let destination: KnownVersion

  /// Takes what a store was identified as; nil when nothing holds the store's model.
  ///
  /// - Parameters:
  ///   - identification: what the store was identified as, among the versions.
  ///   - versions: the bundle's versions, oldest first.
  ///   - destination: the version to reach.
  init?(_ identification: StoreIdentification, among versions: [KnownVersion], to destination: KnownVersion) {
    if let version = identification.version {
      guard let configuration = identification.configuration else {
        (self.version, self.versions, self.destination) = (version, versions, destination)
        return
      }
      guard let restricted = version.restricted(toConfiguration: configuration),
        let target = destination.restricted(toConfiguration: configuration)
      else { return nil }
      self.version = restricted
      self.versions = versions.compactMap { $0.restricted(toConfiguration: configuration) }
      self.destination = target
      return
    }
    guard let model = identification.model,
      let cached = try? KnownVersion(bundle: "", name: "cached model", isCurrent: false, model: model)
    else { return nil }
    (version, self.versions, self.destination) = (cached, versions, destination)
  }
}
