import CloudKitSchemas
import Foundation
import ModelDescription

/// The schema of a CloudKit container, and the schema of a model that is added to it.
enum CloudKitTarget {
  private static let model = CloudKitSchema(recordTypes: [
    .init("CD_Note", fields: [.init("CD_title", .init(.string)), .init("CD_zone", .init(.int64))]),
    .init("CD_Tag", fields: [.init("CD_entityName", .init(.string))] + CloudKitSchema.systemFields),
  ])

  static func run(_ data: Data) throws {
    let (schema, faults) = CloudKitSchema.read([UInt8](data), path: "a.ckdb")
    for fault in faults { _ = fault.text }
    guard faults.isEmpty else { return }
    let text = schema.description
    try FuzzFinding.expect(read(text).description == text, "a schema that is written is read as another")
    let merged = model.merged(into: String(decoding: data, as: UTF8.self), of: schema)
    let result = try read(merged)
    try FuzzFinding.expect(SchemaShrinkage(from: schema, to: result).losses.isEmpty, "a merge loses a field")
    let missing = model.recordTypes.filter { type in
      type.fields.contains { !$0.name.hasPrefix("___") && result.recordType(type.name)?.field($0.name) == nil }
    }
    try FuzzFinding.expect(missing.isEmpty, "a merge leaves a field out")
    try FuzzFinding.expect(model.merged(into: merged, of: result) == merged, "a second merge changes the text")
  }

  private static func read(_ text: String) throws -> CloudKitSchema {
    let (schema, faults) = CloudKitSchema.read(Array(text.utf8), path: "a.ckdb")
    if let fault = faults.first { throw FuzzFinding("a schema that is written has a fault: \(fault)") }
    return schema
  }
}
