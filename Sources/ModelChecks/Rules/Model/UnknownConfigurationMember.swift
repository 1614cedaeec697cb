import ModelDescription

extension Rule {
  static let unknownConfigurationMember = Rule(
    id: "unknown-configuration-member",
    severity: .error,
    purpose: "The members of a configuration are entities of the model."
  ) { index in
    index.model.configurations.flatMap { configuration in
      configuration.entityNames.filter { index.entity(named: $0) == nil }.map { name in
        RuleIssue(
          .configuration(configuration.name),
          "the member “\(name)” of configuration \(configuration.name) is not an entity of the model",
          fix: ModelIndex.suggestion(for: name, among: index.entityNames))
      }
    }
  }
}
