import CloudKitSchemas
import ModelDescription
import ModelFiles

extension Rule {
  /// The rules about the export of a container, and about changes that production cannot follow.
  static let cloudKitExportRules: [Rule] = [
    .cloudKitTypeMissing, .cloudKitFieldMissing, .cloudKitFieldRetyped, .cloudKitEntityName, .cloudKitExportShrunk,
    .cloudKitModelRetyped, .cloudKitFieldIdle, .cloudKitAsset, .cloudKitShare, .cloudKitExportEdited,
    .cloudKitExportUnreadable, .cloudKitUnproved,
  ]

  private static func exported(
    _ id: String, _ severity: Finding.Severity, _ purpose: String, _ explanation: String,
    _ findings: @escaping @Sendable (ExportComparison) -> [RuleFinding]
  ) -> Rule {
    Rule(id: id, severity: severity, purpose: purpose, explanation: explanation) { (project: CheckedProject) in
      project.containers.flatMap { container in
        ExportComparison(container, of: project).map(findings) ?? []
      }
    }
  }

  static let cloudKitTypeMissing = exported(
    "cloudkit-type-missing", .error, "Production must have the record type of each mirrored entity.",
    """
    Production never makes a record type by itself. If your app saves an object whose record type is not deployed, \
    sync fails for every user and works on your devices. Deploy the schema in the CloudKit Console, export it, and \
    commit the export. The finding is a warning; it is an error if the version is released, and with `--release`.
    """
  ) { comparison in
    comparison.each { model, result in
      result.missingTypes.map { type in
        let count = type.fields.filter(\.isRequired).count
        let fields = count == 1 ? "1 field" : "\(count) fields"
        let owners = type.entities.isEmpty ? "many-to-many relationships" : "\(NameList.text(type.entities)), \(fields)"
        return comparison.missing(
          type.entities.first.map(ModelElement.entity) ?? .model, of: model, isUnproved: type.entities.isEmpty,
          "\(type.name) (\(owners)) is not in \(comparison.path): production refuses each of its records")
      }
    }
  }

  static let cloudKitFieldMissing = exported(
    "cloudkit-field-missing", .error, "Production must have a field for each mirrored property.",
    """
    Production never adds a field by itself. It refuses a record that sets a field that is not deployed, and the other \
    records of its batch. Records without a value still sync, so sync seems to fail at random. Deploy the schema in \
    the CloudKit Console, export it, and commit the export. The finding is a warning; it is an error if the version is \
    released, and with `--release`.
    """
  ) { comparison in
    comparison.each { model, result in
      result.missingFields.flatMap { missing in
        // A finding about proved fields is not weaker because of another field.
        Dictionary(grouping: missing.fields) { $0.unproved != nil }.sorted { !$0.key && $1.key }.map {
          isUnproved, fields in
          let property = fields.first?.property
          return comparison.missing(
            property.map { .property(entity: $0.entity, name: $0.name) } ?? .model, of: model, isUnproved: isUnproved,
            "\(missing.recordType.name) lacks \(fields.map(\.name).joined(separator: ", "))\(comparison.line(missing.position)): "
              + "production refuses a record that sets \(fields.count == 1 ? "it" : "one")")
        }
      }
    }
  }

  static let cloudKitFieldRetyped = exported(
    "cloudkit-field-retyped", .error, "A field must have the data type that Core Data writes.",
    """
    A deployed field never changes its data type, and is never encrypted or decrypted later. Production refuses each \
    record with a value of another type. Give the attribute another name, so that it gets a field of its own.
    """
  ) { comparison in
    comparison.each { model, result in
      result.retyped.map { other in
        let property = other.field.property
        // A field that Core Data makes itself has no other name.
        let isOwn = other.field.role == .property
        var finding = model.finding(
          property.map { .property(entity: $0.entity, name: $0.name) } ?? .model,
          "\(other.recordType).\(other.field.name) is \(other.exported.type)"
            + "\(comparison.line(other.exported.position)), but Core Data writes \(other.field.type)",
          fix: isOwn
            ? "give the attribute another name, because a deployed type cannot change"
            : "use another container, because Core Data did not make this field")
        if other.field.unproved != nil { finding.severity = .warning }
        return finding
      }
    }
  }

  static let cloudKitEntityName = exported(
    "cloudkit-entity-name", .error, "Each mirrored record type must have the field CD_entityName.",
    """
    Core Data writes the name of the entity into each record and cannot read a record without it. If an export lacks \
    the field, the schema was written by hand. Let Core Data make the record types in development, or merge the \
    schema that `modelctl cloudkit schema` prints.
    """
  ) { comparison in
    comparison.each { _, result in
      result.withoutEntityName.map { type in
        RuleFinding(
          .model, "\(type.name) lacks CD_entityName, so Core Data did not make this record type",
          fix: comparison.merge, at: comparison.location(type.position))
      }
    }
  }

  static let cloudKitExportShrunk = exported(
    "cloudkit-export-shrunk", .error, "An export must keep the record types and fields of the base.",
    """
    Production never gives up a record type or a field, and never changes a data type. If your export does, you edited \
    the file or exported a different container. Export the schema of production again.
    """
  ) { comparison in
    guard let earlier = comparison.container.earlier else { return [] }
    return SchemaShrinkage(from: earlier.schema, to: comparison.export.schema).losses.map { loss in
      let name = loss.field.map { "\(loss.recordType).\($0.name)" } ?? loss.recordType
      let change = loss.type.map { "is \($0), but was \(loss.field?.type.description ?? "")" } ?? "is gone, but was"
      return RuleFinding(
        .model, "\(name) \(change) in the export of \(earlier.name): production still has it",
        fix: "export the schema of production again", at: comparison.location(loss.position))
    }
  }

  static let cloudKitFieldIdle = exported(
    "cloudkit-field-idle", .note, "Production keeps the record types and fields of earlier versions.",
    """
    Production never gives up a record type or a field. Earlier versions of your app still write to it, so do not use \
    its name for another data type. You need not do anything.
    """
  ) { comparison in
    let (types, fields) = comparison.idle
    guard !types.isEmpty || !fields.isEmpty else { return [] }
    let counts = [(types.count, "record type"), (fields.count, "field")].filter { $0.0 > 0 }
      .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " and ")
    return [
      RuleFinding(
        .model, "no entity fills \(counts) of production: \(NameList.text(types.map(\.name) + fields))",
        at: comparison.location(nil))
    ]
  }

  static let cloudKitAsset = exported(
    "cloudkit-asset", .note, "A value that is too large for its record needs a field for a file.",
    """
    A record has at most 1 MB without files. Core Data saves a larger value in a field with the suffix `_ckAsset`. If \
    production lacks the field, it refuses the record. The finding is a warning if an attribute uses external storage.
    """
  ) { comparison in
    comparison.each { model, result in
      let properties = result.withoutAsset.compactMap(\.property)
      guard let first = properties.first else { return [] }
      let isExternal = properties.contains { property in
        model.attributes.contains {
          $0.entity.name == property.entity && $0.attribute.name == property.name
            && $0.attribute.allowsExternalBinaryDataStorage
        }
      }
      let names = NameList.text(properties.map { "\($0.entity).\($0.name)" })
      var finding = model.finding(
        .property(entity: first.entity, name: first.name),
        "\(names) may be too large for a record (1 MB), and \(comparison.path) has no field for a file",
        fix: comparison.merge(model, unproved: result.withoutAsset.contains { $0.unproved != nil }))
      if isExternal { finding.severity = .warning }
      return [finding]
    }
  }

  static let cloudKitShare = exported(
    "cloudkit-share", .warning, "Production needs the fields of shared records if your app shares them.",
    """
    Core Data writes CD_moveReceipt if a record moves to a shared zone, and CloudKit makes the record type \
    `cloudkit.share` in development at the first share. Without them, a shared link has no content. The rule needs \
    `"sharing": true` in the configuration.
    """
  ) { comparison in
    guard comparison.container.configuration.sharing else { return [] }
    let types = Set(comparison.results.flatMap(\.result.withoutReceipt)).sorted()
    var findings: [RuleFinding] = []
    if !types.isEmpty {
      findings.append(
        RuleFinding(
          .model, "CD_moveReceipt is not in \(NameList.text(types)): production refuses a shared record",
          fix: comparison.merge, at: comparison.location(nil)))
    }
    if comparison.export.schema.recordType("cloudkit.share") == nil {
      findings.append(
        RuleFinding(
          .model, "cloudkit.share is not in \(comparison.path): production refuses a share",
          fix: "share a record in development, deploy the schema, and export it again", at: comparison.location(nil)))
    }
    return findings
  }

  static let cloudKitExportEdited = exported(
    "cloudkit-export-edited", .note, "An export has the form in which CloudKit writes it.",
    """
    modelctl reads a schema in any form. A different form shows that the text was edited or written by hand, so it \
    may not be the schema of production.
    """
  ) { comparison in
    let export = comparison.export
    if CloudKitSchema.isMarkdown(export.path) || export.schema.description == export.text { return [] }
    return [
      RuleFinding(
        .model, "the text does not have the form of an export, so it was edited",
        fix: "export the schema of production again", at: comparison.location(nil))
    ]
  }

  static let cloudKitExportUnreadable = Rule(
    id: "cloudkit-export-unreadable", severity: .error, purpose: "An export must be a schema of CloudKit.",
    explanation: """
      modelctl compares nothing with an export that it cannot read. Export the schema again, or correct the text at \
      the location of the finding.
      """
  ) { (project: CheckedProject) in
    project.containers.flatMap { container in
      (container.export?.faults ?? []).map { fault in
        RuleFinding(
          .model, fault.cause, fix: fault.advice,
          at: SourceLocation(file: fault.path, line: fault.position?.line ?? 1, column: fault.position?.column ?? 1))
      }
    }
  }

  static let cloudKitUnproved = exported(
    "cloudkit-unproved", .note, "Some fields are computed by a rule that no measured export proves.",
    """
    modelctl was compared with exports of real containers. None of them has a field of these kinds. A finding about \
    such a field is a warning. To see the fields that Core Data makes, call `initializeCloudKitSchema(options: \
    [.dryRun, .printSchema])` on a Mac.
    """
  ) { comparison in
    comparison.each { model, result in
      guard !model.schema.unproved.isEmpty else { return [] }
      let missing =
        result.missingLinks.isEmpty ? "" : "; \(comparison.path) lacks \(NameList.text(result.missingLinks))"
      let rules = model.schema.unproved.map(\.words).joined(separator: "; ")
      return [model.finding(.model, "not proved by a measured export: \(rules)\(missing)")]
    }
  }

  static let cloudKitModelRetyped = Rule(
    id: "cloudkit-model-retyped", severity: .error,
    purpose: "A mirrored property must keep the data type that a released version has in CloudKit.",
    explanation: """
      A deployed field never changes its data type, and earlier versions of your app still write it. If an attribute \
      has another type or encryption now, or its entity another root entity, production refuses the records or has \
      them under another type. Give the attribute another name. A finding is a warning if the data type in CloudKit \
      stays and only the values change their form.
      """
  ) { (project: CheckedProject) in
    project.containers.flatMap { $0.models.flatMap(\.retyped) }
  }
}

/// The models of a container beside its export, which was read without a fault.
private struct ExportComparison {
  let container: CheckedContainer
  let export: CheckedContainer.Export
  /// The current versions, each with its comparison.
  let results: [(model: MirroredModel, result: SchemaComparison)]
  private let isRelease: Bool

  /// The schemas of all models that fill the export, also those of other containers.
  private let filling: [MirroredSchema]

  init?(_ container: CheckedContainer, of project: CheckedProject) {
    guard let export = container.export, export.faults.isEmpty else { return nil }
    (self.container, self.export, isRelease) = (container, export, project.isForRelease)
    filling = project.containers.filter { $0.export?.path == export.path }.flatMap { $0.models.map(\.schema) }
    results = container.results(beside: export)
  }

  var path: String { export.path }

  func each(_ findings: (MirroredModel, SchemaComparison) -> [RuleFinding]) -> [RuleFinding] {
    results.flatMap { findings($0.model, $0.result) }
  }

  /// The record types and the fields that no model of the container fills.
  var idle: (types: [CloudKitSchema.RecordType], fields: [String]) {
    guard let first = results.first?.result, container.isComplete else { return ([], []) }
    let filled = filling.flatMap(\.recordTypes)
    let types = Set(filled.map(\.name))
    // Most often no field is idle, and the names of all fields of all versions are many.
    var fields = Set(results.flatMap(\.result.idleFields))
    for type in fields.isEmpty ? [] : filled {
      for field in type.fields { fields.remove("\(type.name).\(field.name)") }
    }
    return (first.idleTypes.filter { !types.contains($0.name) }, fields.sorted())
  }

  /// A finding about something that production lacks.
  func missing(_ element: ModelElement, of model: MirroredModel, isUnproved: Bool, _ message: String) -> RuleFinding {
    var finding = RuleFinding(
      element, message, fix: merge(model, unproved: isUnproved), at: model.file.location(of: element))
    finding.severity = isUnproved || !(model.isReleased || isRelease) ? .warning : .error
    return finding
  }

  /// The advice to deploy all that is missing.
  var merge: Advice {
    results.first.map { merge($0.model, unproved: false) } ?? "export the schema of production again"
  }

  func merge(_ model: MirroredModel, unproved: Bool) -> Advice {
    var command = ["modelctl", "cloudkit", "schema", ShellWord.argument(model.file.path)]
    if let configuration = container.configuration.configuration { command += ["--configuration", configuration] }
    command += (unproved ? ["--unproved"] : []) + ["--merge", ShellWord.argument(path)]
    return "deploy the schema to production, and export it again; to print the schema to deploy: \(run: command)"
  }

  /// A location in the export; its start without a position.
  func location(_ position: CloudKitSchema.Position?) -> SourceLocation {
    SourceLocation(file: path, line: position?.line ?? 1, column: position?.column ?? 1)
  }

  /// The line of the export in words.
  func line(_ position: CloudKitSchema.Position?) -> String { position.map { " (\(path), line \($0.line))" } ?? "" }
}

extension MirroredModel {
  /// The findings about properties that a released version has with another data type or meaning.
  fileprivate var retyped: [RuleFinding] {
    var findings: [RuleFinding] = []
    var seen: Set<ModelElement> = []
    func add(_ element: ModelElement, _ message: String, _ severity: Finding.Severity? = nil, fix: Advice) {
      guard seen.insert(element).inserted else { return }
      var found = finding(element, message, fix: fix)
      found.severity = severity
      findings.append(found)
    }
    for release in released {
      for entity in entities where release.mirrored.contains(entity.name) {
        let (old, new) = (release.hierarchy.rootName(of: entity.name), hierarchy.rootName(of: entity.name))
        if old != new {
          add(
            .entity(entity.name),
            "\(entity.name) moves from the record type CD_\(old) of \(release.name) to CD_\(new): its records stay there",
            fix: "keep the parent entity")
        }
      }
      for type in schema.recordTypes where !type.entities.isEmpty {
        guard let earlier = release.schema.recordType(type.name) else { continue }
        let fields = Dictionary(earlier.fields.map { ($0.name, $0) }) { first, _ in first }
        for field in type.fields {
          guard field.role == .property, let property = field.property, let known = fields[field.name] else { continue }
          let element = ModelElement.property(entity: property.entity, name: property.name)
          if known.type != field.type {
            add(
              element,
              "\(type.name).\(field.name) was \(known.type) in \(release.name) and is \(field.type) now: production "
                + "cannot change it", fix: "leave it as it was, and add an attribute with another name")
          } else if let old = known.property, let change = change(of: property, from: old, release.hierarchy) {
            add(
              element,
              "\(element) was \(change.old) in \(release.name) and is \(change.new) now: earlier versions of "
                + "the app may not read the values", .warning,
              fix: "leave it as it was, and add an attribute with another name")
          }
        }
      }
      for (entity, relationship) in relationships {
        let old = release.hierarchy.allRelationships(of: entity.name)[relationship.name]?.property
        guard release.mirrored.contains(entity.name), let old,
          linkForm(of: relationship, hierarchy) != linkForm(of: old, release.hierarchy)
        else { continue }
        let element = ModelElement.property(entity: entity.name, name: relationship.name)
        add(
          element,
          "\(element) has another number of objects than in \(release.name): other devices do not see the earlier links",
          .warning, fix: "leave it as it was, and add a relationship with another name")
      }
    }
    return findings
  }

  /// The form in which CloudKit has the links of a relationship.
  private func linkForm(of relationship: RelationshipDescription, _ hierarchy: EntityHierarchy) -> Int {
    guard relationship.isToMany else { return 0 }
    return hierarchy.inverse(of: relationship)?.isToMany ?? false ? 2 : 1
  }

  /// The types of an attribute whose values change their form, but not their data type in CloudKit.
  private func change(
    of property: MirroredSchema.Property, from old: MirroredSchema.Property, _ earlier: EntityHierarchy
  ) -> (old: String, new: String)? {
    func type(_ property: MirroredSchema.Property, _ hierarchy: EntityHierarchy) -> AttributeType? {
      hierarchy.entity(named: property.entity)?.attributes.first { $0.name == property.name }?.type
    }
    guard let first = type(old, earlier), let second = type(property, hierarchy), first != second,
      !(first.isInteger && second.isInteger)
    else { return nil }
    return (first.name, second.name)
  }
}

extension AttributeType {
  fileprivate var isInteger: Bool { [.integer16, .integer32, .integer64].contains(self) }
}
