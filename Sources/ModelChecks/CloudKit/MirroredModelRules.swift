import CloudKitSchemas
import ModelDescription
import ModelFiles

extension Rule {
  /// The rules about models that Core Data refuses to mirror.
  ///
  /// Source: Apple, “Creating a Core Data Model for CloudKit”. Core Data refuses the store when it is loaded.
  static let mirroredModelRules: [Rule] = [
    .cloudKitUnique, .cloudKitRequired, .cloudKitRelationshipRequired, .cloudKitInverse, .cloudKitOrdered,
    .cloudKitDeny, .cloudKitType, .cloudKitConfiguration, .cloudKitName, .cloudKitRename,
  ]

  private static func mirrored(
    _ id: String, _ purpose: String, _ explanation: String,
    _ findings: @escaping @Sendable (MirroredModel) -> [RuleFinding]
  ) -> Rule {
    Rule(id: id, severity: .error, purpose: purpose, explanation: explanation) { (project: CheckedProject) in
      project.containers.flatMap { $0.models.flatMap(findings) }
    }
  }

  static let cloudKitUnique = mirrored(
    "cloudkit-unique", "A mirrored entity cannot have a uniqueness constraint.",
    """
    Two devices can add the same value at the same time, so Core Data refuses a mirrored store with a constraint \
    (NSCocoaErrorDomain 134060). Remove the constraint, and remove duplicates in your app.
    """
  ) { model in
    model.entities.flatMap { entity in
      entity.uniquenessConstraints.indices.map { position in
        let names = entity.uniquenessConstraints[position].joined(separator: ",")
        return model.finding(
          .uniquenessConstraint(entity: entity.name, position: position),
          "\(entity.name) is unique by \(names): Core Data refuses to mirror it", fix: "remove the constraint",
          edits: [["remove", "constraint", entity.name, names]])
      }
    }
  }

  static let cloudKitRequired = mirrored(
    "cloudkit-required", "A mirrored attribute must be optional or have a default value.",
    """
    A record can arrive before all its values do, so Core Data refuses a mirrored store with an attribute that has no \
    value then (NSCocoaErrorDomain 134060). Make the attribute optional, or give it a default value.
    """
  ) { model in
    model.attributes.filter { !$0.attribute.isOptional && $0.attribute.hasNoDefault }.map { entity, attribute in
      let element = ModelElement.property(entity: entity.name, name: attribute.name)
      return model.finding(
        element, "\(element) is required and has no default value: Core Data refuses to mirror it",
        fix: "make it optional, or give it a default value", edits: [["set", "\(element)", "optional=yes"]])
    }
  }

  static let cloudKitRelationshipRequired = mirrored(
    "cloudkit-relationship-required", "A mirrored relationship must be optional.",
    """
    An object can arrive before the objects to which it points, so Core Data refuses a mirrored store with a required \
    relationship (NSCocoaErrorDomain 134060). Make the relationship optional, also a to-many relationship. In \
    SwiftData, declare an optional array.
    """
  ) { model in
    model.refused("is required", fix: "make it optional", "optional=yes") { !$0.isOptional }
  }

  static let cloudKitInverse = mirrored(
    "cloudkit-inverse", "A mirrored relationship must have an inverse.",
    """
    Core Data writes a link to CloudKit on one side only, and reads the other side from the inverse. It refuses a \
    mirrored store with a relationship that has none (NSCocoaErrorDomain 134060). Add a relationship back.
    """
  ) { model in
    let index = ModelIndex(model.file)
    return model.relationships.filter { ($0.relationship.inverseName ?? "").isEmpty }.map { entity, relationship in
      model.refusal(
        of: relationship, in: entity, "has no inverse",
        fix: "add a relationship to \(entity.name) in \(relationship.destinationEntityName ?? "its destination")",
        edits: index.additions(ofInverseTo: relationship, of: entity))
    }
  }

  static let cloudKitOrdered = mirrored(
    "cloudkit-ordered", "A mirrored relationship cannot be ordered.",
    """
    Records do not keep an order, so Core Data refuses a mirrored store with an ordered relationship \
    (NSCocoaErrorDomain 134060). Make the relationship unordered, and add an attribute with the position.
    """
  ) { model in
    model.refused("is ordered", fix: "make it unordered, and keep the position in an attribute", "ordered=no") {
      $0.isOrdered
    }
  }

  static let cloudKitDeny = mirrored(
    "cloudkit-deny", "A mirrored relationship cannot have the delete rule Deny.",
    """
    A device cannot refuse a deletion that another device made, so Core Data refuses a mirrored store with this delete \
    rule (NSCocoaErrorDomain 134060). Use Nullify or Cascade, and ask in your app before you delete.
    """
  ) { model in
    model.refused("has the delete rule Deny", fix: "give it the delete rule Nullify", "delete-rule=nullify") {
      $0.deleteRule == .deny
    }
  }

  static let cloudKitType = mirrored(
    "cloudkit-type", "A mirrored attribute needs a data type that CloudKit stores.",
    """
    CloudKit does not store attributes of the types Undefined and Object ID. An entity and its sub-entities share a \
    record type, so two of them cannot have attributes of one name with different data types. Give the attribute \
    another type or another name.
    """
  ) { model in
    model.schema.faults.compactMap { fault in
      switch fault {
      case .unsupported(let property): model.finding(fault, at: property)
      case .conflict(let conflict): model.finding(fault, at: conflict.properties[1])
      case .name, .taken: nil
      }
    }
  }

  static let cloudKitConfiguration = mirrored(
    "cloudkit-configuration", "A mirrored relationship cannot point to an entity that is not mirrored.",
    """
    Each configuration of a model has a store of its own, and a relationship cannot cross stores. Core Data refuses \
    the mirrored store (NSCocoaErrorDomain 134060). Move the entity to the mirrored configuration, or keep an \
    identifier in an attribute.
    """
  ) { model in
    model.relationships.compactMap { entity, relationship in
      guard let other = relationship.destinationEntityName, model.hierarchy.entity(named: other) != nil,
        !model.mirrored.contains(other)
      else { return nil }
      let element = ModelElement.property(entity: entity.name, name: relationship.name)
      return model.finding(
        element, "\(element) points to \(other), which is not in the mirrored configuration",
        fix: "add \(other) to the configuration, or remove the relationship")
    }
  }

  static let cloudKitName = mirrored(
    "cloudkit-name", "The name of a mirrored entity or property must have letters, digits and _ only.",
    """
    CloudKit takes letters of ASCII, digits and `_` in the name of a record type or a field. Core Data also makes \
    fields of its own: CD_entityName, CD_moveReceipt, and one with the suffix `_ckAsset` for large values. A property \
    cannot have their names.
    """
  ) { model in
    model.nameFindings
  }

  static let cloudKitRename = mirrored(
    "cloudkit-rename", "A mirrored entity cannot be renamed.",
    """
    Your users' devices still use the earlier record type. So Core Data refuses to migrate a mirrored store if you \
    rename an entity or a relationship with a renaming identifier (NSCocoaErrorDomain 134060). Keep the name, or add a \
    new entity and copy the objects in your app. For attributes, the result is unknown, so you get a warning.
    """
  ) { model in
    func finding(_ element: ModelElement, _ identifier: String, _ severity: Finding.Severity? = nil) -> RuleFinding {
      var finding = model.finding(
        element,
        "\(element) has the renaming identifier “\(identifier)”: Core Data "
          + (severity == nil ? "refuses" : "may refuse") + " to migrate a mirrored store",
        fix: "give it the name “\(identifier)” again, without a renaming identifier")
      finding.severity = severity
      return finding
    }
    // An identifier of an earlier rename stays in each later version.
    func isOther(_ identifier: String?, _ element: ModelElement, _ name: String) -> String? {
      identifier.flatMap { $0.isEmpty || $0 == name || model.hadEarlier(element) ? nil : $0 }
    }
    return model.entities.compactMap { entity in
      isOther(entity.renamingIdentifier, .entity(entity.name), entity.name).map { finding(.entity(entity.name), $0) }
    }
      + model.relationships.compactMap { entity, relationship in
        let element = ModelElement.property(entity: entity.name, name: relationship.name)
        return isOther(relationship.renamingIdentifier, element, relationship.name).map { finding(element, $0) }
      }
      + model.attributes.compactMap { entity, attribute in
        let element = ModelElement.property(entity: entity.name, name: attribute.name)
        return isOther(attribute.renamingIdentifier, element, attribute.name).map { finding(element, $0, .warning) }
      }
  }
}

extension AttributeDescription {
  /// True if the attribute, or a required element of a composite attribute, has no default value.
  fileprivate var hasNoDefault: Bool {
    if elements.isEmpty { return defaultValue == nil }
    return leaves.contains { !$0.attribute.isOptional && $0.attribute.defaultValue == nil }
  }
}

extension MirroredModel {
  /// The findings about relationships that Core Data does not mirror.
  ///
  /// - Parameter setting: the setting of `modelctl edit set` that corrects each.
  fileprivate func refused(
    _ trait: String, fix: Advice, _ setting: String, where accepts: (RelationshipDescription) -> Bool
  ) -> [RuleFinding] {
    relationships.filter { accepts($0.relationship) }.map { entity, relationship in
      let element = ModelElement.property(entity: entity.name, name: relationship.name)
      return refusal(of: relationship, in: entity, trait, fix: fix, edits: [["set", "\(element)", setting]])
    }
  }

  fileprivate func refusal(
    of relationship: RelationshipDescription, in entity: EntityDescription, _ trait: String, fix: Advice,
    edits: [[String]]
  ) -> RuleFinding {
    let element = ModelElement.property(entity: entity.name, name: relationship.name)
    return finding(
      element, "the relationship \(element) \(trait): Core Data refuses to mirror it", fix: fix, edits: edits)
  }

  /// The longest name that is known to work.
  private static let nameLimit = 255

  /// The findings about names that CloudKit does not take, that Core Data uses, or that differ in case only.
  fileprivate var nameFindings: [RuleFinding] {
    var findings: [RuleFinding] = []
    var types: [String: String] = [:]
    let faults = schema.faults
    for entity in entities {
      let root = hierarchy.rootName(of: entity.name)
      if root == entity.name { findings += unwritable(root, .entity(root), faults) }
      if let other = types.updateValue(root, forKey: root.lowercased()), other != root {
        findings.append(warning(.entity(entity.name), "\(root) and \(other) differ in case only"))
      }
      let properties =
        entity.attributes.map(\.name) + entity.relationships.filter { !$0.isTransient && !$0.isToMany }.map(\.name)
      for name in properties {
        findings += unwritable(name, .property(entity: entity.name, name: name), faults)
      }
    }
    return findings
      + faults.compactMap { fault in
        guard case .taken(let property) = fault else { return nil }
        return finding(fault, at: property)
      }
  }

  fileprivate func finding(_ fault: MirroredSchema.Fault, at property: MirroredSchema.Property) -> RuleFinding {
    finding(.property(entity: property.entity, name: property.name), fault.cause, fix: fault.advice)
  }

  private func unwritable(
    _ name: String, _ element: ModelElement, _ faults: [MirroredSchema.Fault]
  ) -> [RuleFinding] {
    let fault = MirroredSchema.Fault.name(name)
    if faults.contains(fault) { return [finding(element, fault.cause, fix: fault.advice)] }
    guard name.utf8.count > Self.nameLimit else { return [] }
    return [
      warning(element, "the name has \(name.utf8.count) characters, and CloudKit may take at most \(Self.nameLimit)")
    ]
  }

  private func warning(_ element: ModelElement, _ message: String) -> RuleFinding {
    var warning = finding(element, message, fix: "rename it")
    warning.severity = .warning
    return warning
  }
}
