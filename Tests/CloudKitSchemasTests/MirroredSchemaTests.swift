import CloudKitSchemas
import ModelDescription
import TestSupport
import Testing

@Suite("The schema that CloudKit gets from a model")
struct MirroredSchemaTests {
  @Test(
    "Each type of an attribute has its data type and its file",
    arguments: [
      (.string, "STRING QUERYABLE SEARCHABLE SORTABLE", true), (.uuid, "STRING QUERYABLE SEARCHABLE SORTABLE", false),
      (.uri, "STRING QUERYABLE SEARCHABLE SORTABLE", false), (.boolean, "INT64 QUERYABLE SORTABLE", false),
      (.integer16, "INT64 QUERYABLE SORTABLE", false), (.integer32, "INT64 QUERYABLE SORTABLE", false),
      (.integer64, "INT64 QUERYABLE SORTABLE", false), (.double, "DOUBLE QUERYABLE SORTABLE", false),
      (.decimal, "DOUBLE QUERYABLE SORTABLE", false), (.float, "DOUBLE QUERYABLE SORTABLE", false),
      (.date, "TIMESTAMP QUERYABLE SORTABLE", false), (.binary, "BYTES QUERYABLE SORTABLE", true),
      (.transformable, "BYTES QUERYABLE SORTABLE", true), (.composite, "BYTES QUERYABLE SORTABLE", true),
    ] as [(AttributeType, String, Bool)])
  func types(_ type: AttributeType, _ words: String, _ hasFile: Bool) throws {
    for isOptional in [true, false] {
      for isEncrypted in [true, false] {
        for isExternal in [true, false] {
          var attribute = AttributeDescription(name: "x", type: type, isOptional: isOptional)
          (attribute.allowsCloudEncryption, attribute.allowsExternalBinaryDataStorage) = (isEncrypted, isExternal)
          let schema = try Self.schema([EntityDescription(name: "A", attributes: [attribute])])
          let text = schema.schema(unproved: true).description
          let line = isEncrypted ? "ENCRYPTED \(words.prefix { $0 != " " })," : "\(words),"
          #expect(Self.field("CD_x", in: text) == line)
          #expect(Self.field("CD_x_ckAsset", in: text) == (hasFile ? "ASSET," : nil))
        }
      }
    }
  }

  private static func schema(_ entities: [EntityDescription], of members: Set<String>? = nil) throws -> MirroredSchema {
    MirroredSchema(of: try EntityHierarchy(ManagedObjectModel(entities: entities)), entities: members)
  }

  /// The line of a field after its name.
  private static func field(_ name: String, in text: String) -> String? {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.first { $0.hasPrefix("\(name) ") }.map { line in
      String(line.dropFirst(name.count).drop { $0 == " " })
    }
  }

  @Test("The text of a small model is as the documentation shows it")
  func wholeText() throws {
    let folder = RelationshipDescription(
      name: "folder", destinationEntityName: "Folder", inverseName: "notes", maxCount: 1)
    var note = EntityDescription(name: "Note")
    note.attributes = [
      AttributeDescription(name: "body", type: .string), AttributeDescription(name: "id", type: .uuid),
      AttributeDescription(name: "pinned", type: .boolean),
      AttributeDescription(name: "gone", type: .string, isTransient: true),
    ]
    note.relationships = [folder]
    let text = try Self.schema([note]).schema().description
    #expect(
      text.hasPrefix(
        """
        DEFINE SCHEMA

            RECORD TYPE CD_Note (
                CD_body                STRING QUERYABLE SEARCHABLE SORTABLE,
                CD_body_ckAsset        ASSET,
                CD_entityName          STRING QUERYABLE SEARCHABLE SORTABLE,
                CD_folder              STRING QUERYABLE SEARCHABLE SORTABLE,
                CD_id                  STRING QUERYABLE SEARCHABLE SORTABLE,
                CD_moveReceipt         BYTES QUERYABLE SORTABLE,
                CD_moveReceipt_ckAsset ASSET,
                CD_pinned              INT64 QUERYABLE SORTABLE,
                "___createTime"        TIMESTAMP,
        """))
    #expect(text.hasSuffix("GRANT READ TO \"_world\"\n    );\n\n"))
    let short = try Self.schema([note]).schema(moveReceipts: false)
    #expect(short.recordTypes[0].fields.count == 6 + 6)
  }

  @Test("Sub-entities share the type of their root, and a field of two types is a conflict")
  func inheritance() throws {
    let root = EntityDescription(name: "Root", attributes: [AttributeDescription(name: "a", type: .string)])
    var (left, right) = (EntityDescription(name: "Left"), EntityDescription(name: "Right"))
    (left.superentityName, right.superentityName) = ("Root", "Root")
    left.attributes = [AttributeDescription(name: "b", type: .date)]
    right.attributes = [AttributeDescription(name: "b", type: .date), AttributeDescription(name: "c", type: .float)]
    let schema = try Self.schema([root, left, right])
    #expect(schema.recordTypes.map(\.name) == ["CD_Root"] && schema.conflicts.isEmpty)
    #expect(schema.recordTypes[0].entities == ["Root", "Left", "Right"])
    #expect(schema.unproved == [.subentity, .float])
    #expect(schema.schema().recordTypes[0].field("CD_b") == nil)
    #expect(schema.schema(unproved: true).recordTypes[0].field("CD_b")?.type == .init(.timestamp))
    right.attributes[0].type = .double
    let other = try Self.schema([root, left, right])
    #expect(other.conflicts.map(\.field) == ["CD_b"])
    #expect(other.conflicts.first?.properties.map(\.entity) == ["Left", "Right"])
  }

  @Test("A large value of any sub-entity has a file, and a configuration takes the properties of parents along")
  func partsOfTree() throws {
    let root = EntityDescription(name: "Root", attributes: [AttributeDescription(name: "a", type: .string)])
    var (left, right) = (EntityDescription(name: "Left"), EntityDescription(name: "Right"))
    (left.superentityName, right.superentityName) = ("Root", "Root")
    left.attributes = [AttributeDescription(name: "b", type: .uuid)]
    right.attributes = [AttributeDescription(name: "b", type: .string)]
    let schema = try Self.schema([root, left, right])
    #expect(schema.conflicts.isEmpty && schema.recordTypes[0].fields.contains { $0.name == "CD_b_ckAsset" })
    let part = try Self.schema([root, left, right], of: ["Left"])
    #expect(part.recordTypes.map(\.name) == ["CD_Root"] && part.recordTypes[0].entities == ["Left"])
    #expect(
      part.recordTypes[0].fields.map(\.name).filter { !$0.contains("moveReceipt") && !$0.contains("entityName") }
        == ["CD_a", "CD_a_ckAsset", "CD_b"])
  }

  @Test(
    "A property cannot have the name of a field that Core Data makes, whatever the order",
    arguments: [["entityName"], ["moveReceipt"], ["y", "y_ckAsset"], ["y_ckAsset", "y"], ["moveReceipt_ckAsset"]])
  func taken(_ names: [String]) throws {
    let attributes = names.map { AttributeDescription(name: $0, type: $0 == "y" ? .string : .integer64) }
    let schema = try Self.schema([EntityDescription(name: "A", attributes: attributes)])
    #expect(schema.taken.map(\.name) == names.filter { $0 != "y" })
    let fields = schema.recordTypes[0].fields.map(\.name)
    #expect(Set(fields).count == fields.count)
  }

  @Test("Attributes without a data type in CloudKit are named", arguments: [.undefined, .objectID] as [AttributeType])
  func unsupported(_ type: AttributeType) throws {
    let attributes = [AttributeDescription(name: "a", type: type)]
    #expect(try Self.schema([EntityDescription(name: "A", attributes: attributes)]).unsupported.map(\.name) == ["a"])
  }

  @Test("Links of many-to-many relationships have one type, and other to-many relationships none")
  func relationships() throws {
    func relationship(_ name: String, _ destination: String, _ inverse: String, isToMany: Bool)
      -> RelationshipDescription
    {
      RelationshipDescription(
        name: name, destinationEntityName: destination, inverseName: inverse, inverseEntityName: destination,
        maxCount: isToMany ? 0 : 1)
    }
    var (tag, note) = (EntityDescription(name: "Tag"), EntityDescription(name: "Note"))
    tag.relationships = [relationship("notes", "Note", "tags", isToMany: true)]
    note.relationships = [relationship("tags", "Tag", "notes", isToMany: true)]
    let many = try Self.schema([tag, note])
    #expect(many.recordTypes.map(\.name) == ["CDMR", "CD_Note", "CD_Tag"] && many.unproved == [.manyToMany])
    #expect(many.schema().recordTypes.map(\.name) == ["CD_Note", "CD_Tag"])
    var export = many.schema(unproved: true)
    export.recordTypes[0].fields.removeAll { $0.name == "CD_recordNames" }
    let links = SchemaComparison(many, with: export)
    #expect(links.isComplete && links.missingLinks == ["CDMR.CD_recordNames"])
    note.relationships = [relationship("tags", "Tag", "notes", isToMany: false)]
    let one = try Self.schema([tag, note])
    #expect(one.recordTypes.map(\.name) == ["CD_Note", "CD_Tag"])
    #expect(one.recordType("CD_Note")?.fields.contains { $0.name == "CD_tags" } ?? false)
    #expect(try Self.schema([tag, note], of: ["Tag"]).recordTypes.map(\.name) == ["CD_Tag"])
  }

  @Test(
    "Random models: the text is read back, and a merge into an older export leaves nothing missing and loses nothing")
  func randomModels() throws {
    var counts = (models: 0, fields: 0, added: 0)
    for seed in 0..<UInt64(CorpusSample.least(2_000, sampled: 200)) {
      let step = RandomStep(seed: seed)
      let older = MirroredSchema(of: try EntityHierarchy(step.source))
      let newer = MirroredSchema(of: try EntityHierarchy(step.destination))
      guard newer.conflicts.isEmpty, newer.unwritableNames.isEmpty, older.unwritableNames.isEmpty else { continue }
      let whole = newer.schema(unproved: true)
      let text = whole.description
      let (read, faults) = CloudKitSchema.read(Array(text.utf8), path: "a.ckdb")
      #expect(faults == [] && read.description == text)
      var random = SeededGenerator(seed: seed)
      var export = older.schema(unproved: true, moveReceipts: Bool.random(using: &random))
      export.recordTypes.removeAll { _ in Int.random(in: 0..<4, using: &random) == 0 }
      export.recordTypes.append(.init("Own", fields: [.init("place", .init(.location))]))
      var written = export.description
      if Bool.random(using: &random) {
        written = written.replacing("        ", with: "\t").replacing("\n\n", with: "\n")
      }
      let (known, _) = CloudKitSchema.read(Array(written.utf8), path: "a.ckdb")
      let merged = whole.merged(into: written, of: known)
      let (result, errors) = CloudKitSchema.read(Array(merged.utf8), path: "a.ckdb")
      #expect(errors == [], "\(seed): \(merged)")
      let comparison = SchemaComparison(newer, with: result)
      #expect(comparison.missingTypes.isEmpty && comparison.missingFields.isEmpty, "\(seed)")
      #expect(SchemaShrinkage(from: known, to: result).losses.isEmpty && result.recordType("Own") != nil, "\(seed)")
      #expect(whole.merged(into: merged, of: result) == merged, "\(seed)")
      counts.models += 1
      counts.fields += read.recordTypes.reduce(0) { $0 + $1.fields.count }
      counts.added += merged == written ? 0 : 1
    }
    print("\(counts.models) random models, \(counts.fields) fields, \(counts.added) merges that add something")
    #expect(counts.models > 50 && counts.added > 20)
  }
}
