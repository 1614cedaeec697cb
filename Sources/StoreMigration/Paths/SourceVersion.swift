import ModelDescription
package import ModelFiles
package import PersistentStores

/// The version of a store and the versions it may get, as a store of its configuration sees them.
package struct SourceVersion {
  /// The store's version.
  package let version: LoadedVersion
  /// The bundle's versions, restricted to the store's configuration.
  package let versions: [LoadedVersion]
  /// The version to reach, restricted likewise.
  package let destination: LoadedVersion

  /// Takes what a store was identified as; nil when nothing holds the store's model.
  ///
  /// - Parameters:
  ///   - identification: what the store was identified as, among the versions.
  ///   - versions: the bundle's versions, oldest first.
  ///   - destination: the version to reach.
  package init?(_ identification: StoreIdentification, among versions: [LoadedVersion], to destination: LoadedVersion) {
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
      let cached = try? LoadedVersion(bundle: "", name: "cached model", isCurrent: false, model: model)
    else { return nil }
    (version, self.versions, self.destination) = (cached, versions, destination)
  }
}
