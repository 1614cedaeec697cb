/// The rules that report what looking into mapping models finds.
extension Rule {
  static let inspectionRules: [Rule] = [
    Rule(
      .abstractDestination, purpose: "An entity mapping makes objects of an entity that can have some.",
      explanation: """
        An abstract entity has no rows, so a mapping that makes objects of it cannot be saved. Name the sub-entity \
        that the objects are to be of; several entity mappings with filters can send them to several.
        """),
    Rule(
      .cycle, .warning, purpose: "Entities do not change places in a mapping model.",
      explanation: """
        The objects of one entity become those of the next, around a circle, so that in the end every object is of \
        another entity. That is rarely meant; two destinations were probably exchanged. Correct the entities, or \
        silence the rule if it is meant.
        """),
    Rule(
      .drift, purpose: "The models of a mapping model are still those it was made with.",
      explanation: """
        Core Data finds a mapping model by the version hashes of the entities it was made for. When a version is edited \
        afterwards, it silently does not find it any more, and the migration is inferred or refused. Put the version back \
        as it was, or refresh the mapping model (in Xcode: Editor > Refresh Data Models) and look at it again.
        """),
    Rule(
      .duplicateName, purpose: "The entity mappings of a mapping model have names of their own.",
      explanation: """
        Expressions find the objects of an entity mapping by its name, as in FUNCTION($manager, …). Where two have one \
        name, Core Data takes either of them. Give one another name, and look at the expressions that refer to it.
        """),
    Rule(
      .duplicateProperty, purpose: "A property is filled once.",
      explanation: """
        Two property mappings of one entity mapping fill the same property, and only one of the values stays. Keep the \
        one that is right.
        """),
    Rule(
      .expression, purpose: "The expressions of a mapping model mean something for its two models.",
      explanation: """
        An expression reads properties of the source object by name and gives a value of the destination attribute's \
        type. One that names a property that is not there, or gives a value of another type, ends the migration at the \
        first object, on the user's device. Correct it; modelctl mapping show prints all of them.
        """),
    Rule(
      .filter, purpose: "The filter of an entity mapping is a condition over its source entity.",
      explanation: """
        A filter decides which objects of the source entity a mapping takes. One that names a property the entity does \
        not have, or that is no condition, ends the migration. Correct it by the source version's properties, which \
        modelctl show prints.
        """),
    Rule(
      .policy, .note, purpose: "A policy class of the app is known to stop migrations with modelctl.",
      explanation: """
        A policy class is code of the app, which runs it and which modelctl does not have. Unless the mapping file says \
        what replaces it, migrations and rehearsals with modelctl stop. Write a policy element with SQL for its \
        functions, name a policy in Swift, or have it treated as the default. An expression that calls a policy where the \
        entity mapping has none is an error.
        """),
    Rule(
      .propertyKind, purpose: "Attributes are mapped as attributes and relationships as relationships.",
      explanation: """
        A property changed its kind since the mapping was made, or was written in the wrong list. Core Data passes \
        over it or fails. Write it in the other list with an expression of the right kind.
        """),
    Rule(
      .sql, purpose: "SQL in a mapping file is one expression over the source row.",
      explanation: """
        SQL in a mapping file is put into the statement that makes the destination's rows. SQLite is asked about each \
        piece beforehand, with the tables of the source version. A piece that names an unknown column or is no \
        expression would stop every migration; correct it.
        """),
    Rule(
      .uncoveredSource, .warning, purpose: "The objects of every source entity are read, or said to be dropped.",
      explanation: """
        Core Data carries over only what an entity mapping reads: all objects of an entity that none mentions are gone \
        after the migration, without a word. Add an entity mapping for it, or one without a destination that says that \
        they are to go.
        """),
    Rule(
      .undecided, purpose: "What a mapping file leaves to inference can be inferred.",
      explanation: """
        A mapping file says what inference does not and leaves the rest to it. A property whose type changed, or that \
        several properties claim to continue, cannot be inferred and needs a value in the file: value="…", sql="…" or \
        default="yes". Until then the mapping is not used and the step cannot be made. A comment that modelctl mapping new \
        has left, marked by DECIDE, is a warning: the file is used as it is.
        """),
    Rule(
      .unfilledRequired, purpose: "Every required property of the objects made is given a value.",
      explanation: """
        The objects that a mapping makes are validated before they are saved. One without a value for a required \
        property fails, and the whole migration with it. Give the property an expression, or a default value in the \
        model.
        """),
    Rule(
      .unknownEntity, purpose: "A mapping model names entities that its two models have.",
      explanation: """
        An entity was renamed or removed since the mapping was made, or its name was misspelt. Core Data does not find \
        the entity mapping then and the objects are lost or the migration is refused. Correct the name, or delete the \
        entity mapping.
        """),
    Rule(
      .unknownProperty, purpose: "A mapping model fills properties that the destination entity has.",
      explanation: """
        A property was renamed or removed since the mapping was made, or its name was misspelt. The migration fails \
        when the value is set. Correct the name, or delete the property mapping.
        """),
    Rule(
      .unmappedObjects, .warning,
      purpose: "The objects that a relationship leads to are carried over by some entity mapping.",
      explanation: """
        A relationship's expression asks for the objects that were made of certain source objects, and no entity \
        mapping reads those. The relationship is empty after the migration. Add an entity mapping that reads them, or \
        delete the property mapping if it is to be empty.
        """),
    Rule(
      .unreadable, purpose: "Every mapping model here can be read.",
      explanation: """
        A mapping model that cannot be read is not passed over in silence: a migration on whose way it may lie is \
        refused. Correct the file at the location shown, convert it again from the Xcode mapping model it came from, or \
        take it back from git.
        """),
    Rule(
      .withoutEntities, purpose: "An entity mapping names a source entity, a destination entity, or both.",
      explanation: """
        An entity mapping without any entity neither reads nor makes objects. It is left over from an edit. Give it \
        its entities, or take it out of the mapping model.
        """),
    Rule(
      .wrongObjects, purpose: "A relationship is filled with objects of the entity it leads to.",
      explanation: """
        The entity mapping that a relationship's expression names makes objects of another entity than the \
        relationship's destination. They cannot be set, and the migration fails or leaves the relationship empty. Name \
        a mapping that makes objects of the right entity. About a step between two versions that users have it is a note, \
        because it matters only in stores with such objects; modelctl itself refuses the mapping model.
        """),
  ]

  private init(_ rule: MappingRule, _ severity: Finding.Severity = .error, purpose: String, explanation: String) {
    self.init(id: rule.rawValue, severity: severity, purpose: purpose, explanation: explanation) {
      (history: BundleHistory) in
      history.mappingIssues(rule)
    }
  }
}

/// What looking into a mapping model finds, by the id that findings and rules have, stable across releases.
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

  /// True for what breaks a step only in stores with certain rows.
  ///
  /// Users have taken such a step, so that about one between versions that users have it is a note.
  var dependsOnRows: Bool { self == .wrongObjects }
}
