import ModelDescription

extension Rule {
  static let unknownConfigurationMember = Rule(
    id: "unknown-configuration-member",
    severity: .error,
    purpose: "The members of a configuration are entities of the model.",
    explanation: """
      A configuration lists the entities that a store of it holds. A name that is no entity of the model is left out \
      without a word, so that an entity may be missing in the store. Correct the name, or remove the member.
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
