import ModelDescription

extension Rule {
  static let unknownConfigurationMember = Rule(
    id: "unknown-configuration-member",
    severity: .error,
    purpose: "The members of a configuration must be entities of the model.",
    explanation: """
      A configuration lists the entities of a store. Core Data silently skips a name that is not an entity, so your \
      store may lack an entity. Correct the name, or remove the member.
      """
  ) { index in
    index.model.configurations.flatMap { configuration in
      configuration.entityNames.filter { index.entity(named: $0) == nil }.map { name in
        RuleFinding(
          .configuration(configuration.name),
          "the member “\(name)” of configuration \(configuration.name) is not an entity of the model",
          fix: ModelIndex.correction(of: name, among: index.entityNames, else: "remove the member"))
      }
    }
  }
}
