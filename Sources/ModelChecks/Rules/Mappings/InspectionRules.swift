/// The rules that report the findings of inspected mapping models.
extension Rule {
  static let inspectionRules: [Rule] = [
    Rule(
      .abstractDestination, purpose: "An entity mapping must not create objects of an abstract entity.",
      explanation: """
        An abstract entity does not have rows, so Core Data cannot save the objects. Name the sub-entity that your \
        objects belong to. If they belong to several sub-entities, write several entity mappings with filters.
        """),
    Rule(
      .cycle, .warning, purpose: "A mapping model must not move objects between entities in a cycle.",
      explanation: """
        In a cycle, the objects of each entity become objects of the next entity, so all objects change their entity. \
        Usually you exchanged two destinations by mistake. Correct the entities. If you intend the cycle, ignore the \
        rule.
        """),
    Rule(
      .drift, purpose: "A mapping model must match the versions that you made it for.",
      explanation: """
        Core Data finds a mapping model by the version hashes of its entities. If you edit a version later, Core Data \
        silently ignores the mapping model, and infers or refuses the migration. Restore the version, or refresh the \
        mapping model (in Xcode: Editor > Refresh Data Models) and check it again.
        """),
    Rule(
      .duplicateName, purpose: "The entity mappings of a mapping model must have different names.",
      explanation: """
        Expressions find the objects of an entity mapping by its name, as in `FUNCTION($manager, …)`. If two entity \
        mappings have the same name, Core Data uses either of them. Rename an entity mapping, and check the \
        expressions that refer to it.
        """),
    Rule(
      .duplicateProperty, purpose: "An entity mapping must fill each property only once.",
      explanation: """
        If two property mappings fill the same property, Core Data keeps only the value of either. Keep the property \
        mapping that you need, and remove the duplicate.
        """),
    Rule(
      .expression, purpose: "The expressions of a mapping model must fit its two versions.",
      explanation: """
        An expression reads properties of the source object and returns a value of the destination attribute's type. \
        If the property does not exist or the type is wrong, the migration stops at the first object, on your user's \
        device. Correct the expression; `modelctl mapping show` prints all expressions.
        """),
    Rule(
      .filter, purpose: "The filter of an entity mapping must be a condition on its source entity.",
      explanation: """
        The filter selects the source objects of the entity mapping. If it names an unknown property or is not a \
        condition, the migration stops. Correct the filter; `modelctl show` prints the properties of your source \
        version.
        """),
    Rule(
      .policy, .note, purpose: "To migrate with modelctl, replace the policy classes of your app.",
      explanation: """
        A policy class is code of your app, which modelctl cannot run. If the mapping file does not replace it, \
        migrations and rehearsals with modelctl stop. Write a policy element with SQL for its functions, name a policy \
        in Swift, or treat it as the default policy. An expression that calls a policy is an error if its entity \
        mapping does not name a policy class.
        """),
    Rule(
      .propertyKind, purpose: "Map attributes as attributes and relationships as relationships.",
      explanation: """
        The property became an attribute or a relationship after you made the mapping, or you wrote it in the wrong \
        list. Core Data ignores the property mapping or fails. Move it to the right list, with an expression that \
        fits.
        """),
    Rule(
      .sql, purpose: "SQL in a mapping file must be a single expression on the source row.",
      explanation: """
        modelctl inserts your SQL into the statement that creates the destination rows. First, SQLite checks each \
        expression against the tables of the source version. An unknown column, or SQL that is not an expression, \
        would stop every migration. Correct the SQL.
        """),
    Rule(
      .uncoveredSource, .warning, purpose: "An entity mapping must read or drop the objects of each source entity.",
      explanation: """
        Core Data keeps only the objects that an entity mapping reads. If your mapping model omits an entity, Core \
        Data loses all its objects without a warning. Add an entity mapping. To drop the objects on purpose, add an \
        entity mapping without a destination.
        """),
    Rule(
      .undecided, purpose: "A mapping file must decide everything that modelctl cannot infer.",
      explanation: """
        modelctl infers the parts that your mapping file omits. It cannot infer a changed type, or which of several \
        properties continues a source property. Write a value in the file: `value="…"`, `sql="…"` or `default="yes"`. \
        Until then, modelctl does not use the mapping file and cannot make the step. A DECIDE comment from `modelctl \
        mapping new` is only a warning: modelctl uses the file as it is.
        """),
    Rule(
      .unfilledRequired, purpose: "A mapping must give every required property a value.",
      explanation: """
        Core Data validates the objects that a mapping creates. If an object does not have a required value, the \
        complete migration fails. Give the property an expression, or a default value in your model.
        """),
    Rule(
      .unknownEntity, purpose: "A mapping model must name entities of its two versions.",
      explanation: """
        You renamed or removed the entity after you made the mapping, or its name is misspelt. Core Data does not find \
        the entity mapping, and loses the objects or refuses the migration. Correct the name, or delete the entity \
        mapping.
        """),
    Rule(
      .unknownProperty, purpose: "A mapping model must fill properties of the destination entity.",
      explanation: """
        You renamed or removed the property after you made the mapping, or its name is misspelt. The migration fails \
        when it sets the value. Correct the name, or delete the property mapping.
        """),
    Rule(
      .unmappedObjects, .warning,
      purpose: "An entity mapping must read the objects that a mapped relationship points to.",
      explanation: """
        The relationship's expression requests objects made from source objects that your entity mappings do not read. \
        After the migration, the relationship is empty. Add an entity mapping that reads these objects. If the \
        relationship may be empty, delete the property mapping.
        """),
    Rule(
      .unreadable, purpose: "modelctl must be able to read every mapping model in the project.",
      explanation: """
        modelctl does not skip a mapping model that it cannot read. It refuses each migration whose path may need the \
        mapping model. Correct the file at the reported location, convert it again from your Xcode mapping model, or \
        restore it from git.
        """),
    Rule(
      .withoutEntities, purpose: "An entity mapping must name a source entity, a destination entity, or both.",
      explanation: """
        An entity mapping without entities does not read or create objects. Usually an edit left it behind. Name its \
        entities, or remove it from your mapping model.
        """),
    Rule(
      .wrongObjects, purpose: "A mapping must fill a relationship with objects of its destination entity.",
      explanation: """
        The relationship's expression names an entity mapping that creates objects of a different entity. The \
        migration fails or leaves the relationship empty. Name an entity mapping that creates objects of the \
        destination entity. Between two released versions the finding is a note, because only stores with such objects \
        are affected. modelctl itself refuses the mapping model.
        """),
  ]

  private init(_ rule: MappingRule, _ severity: Finding.Severity = .error, purpose: String, explanation: String) {
    self.init(id: rule.rawValue, severity: severity, purpose: purpose, explanation: explanation) {
      (history: BundleHistory) in
      history.mappingIssues(rule)
    }
  }
}

/// The rules about a mapping model; the raw values are their ids, stable across releases.
enum MappingRule: String {
  case abstractDestination = "mapping-abstract-destination"
  case cycle = "mapping-cycle"
  case drift = "mapping-drift"
  case duplicateName = "mapping-duplicate-name"
  case duplicateProperty = "mapping-duplicate-property"
  case expression = "mapping-expression"
  case filter = "mapping-filter"
  case policy = "mapping-policy"
  case propertyKind = "mapping-property-kind"
  case sql = "mapping-sql"
  case uncoveredSource = "mapping-uncovered-source"
  case undecided = "mapping-undecided"
  case unfilledRequired = "mapping-unfilled-required"
  case unknownEntity = "mapping-unknown-entity"
  case unknownProperty = "mapping-unknown-property"
  case unmappedObjects = "mapping-unmapped-objects"
  case unreadable = "mapping-unreadable"
  case withoutEntities = "mapping-without-entities"
  case withoutPath = "mapping-without-path"
  case wrongObjects = "mapping-wrong-objects"

  /// True for a finding that breaks a step only in stores with certain rows.
  ///
  /// Between released versions it is a note, because users have taken the step.
  var dependsOnRows: Bool { self == .wrongObjects }
}
