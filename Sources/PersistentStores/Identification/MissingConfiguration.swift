public import ModelDescription
public import ModelFiles

/// A store's configuration that the version it is to get does not have.
public struct MissingConfiguration: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// The version that does not have it.
  public let version: String
  /// The configurations that the version has.
  public let known: [String]
  /// Those of them that have the store's entities.
  public let fitting: [String]

  /// Looks for a configuration; nil when the model has it.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - entities: the names of the store's entities.
  ///   - model: the model of the version that the store is to get.
  ///   - version: the name of that version.
  public init?(_ name: String, of entities: Set<String>, in model: ManagedObjectModel, named version: String) {
    guard !model.configurations.contains(where: { $0.name == name }) else { return nil }
    (self.name, self.version) = (name, version)
    known = model.configurations.map(\.name)
    fitting = model.configurations.filter { Set($0.entityNames) == entities }.map(\.name)
  }
}

extension MissingConfiguration: CustomStringConvertible {
  /// What the version lacks, what it has, and what to say where one of these fits.
  public var description: String {
    let others = known.isEmpty ? "it has none" : "it has \(NameList.text(known))"
    let advice = fitting.first.map { name in
      """
      ; the store's entities are those of “\(name)”: if it is opened with that now, say --configuration \
      \(ShellWord(name).text)
      """
    }
    return "\(version) has no configuration “\(name)”, \(others)\(advice ?? "")"
  }
}

extension StoreIdentification {
  /// Looks for the store's configuration in a version.
  ///
  /// - Parameter destination: the version that the store is to get.
  /// - Returns: nil where the version has it, and for a store of a whole model.
  public func missingConfiguration(in destination: LoadedVersion) -> MissingConfiguration? {
    guard let configuration, let model else { return nil }
    return MissingConfiguration(
      configuration, of: Set(model.entities.map(\.name)), in: destination.hierarchy.model, named: destination.name)
  }
}
