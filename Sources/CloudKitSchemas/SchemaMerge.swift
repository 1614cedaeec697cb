extension CloudKitSchema {
  /// The text of an export with the record types and fields that it lacks.
  ///
  /// A text as CloudKit writes it stays one. Any other text keeps its lines, and gets the missing ones between them.
  ///
  /// - Parameters:
  ///   - text: the text of the export, which was read without a fault.
  ///   - export: the schema in the text.
  /// - Returns: the text; the same one if nothing is missing.
  public func merged(into text: String, of export: CloudKitSchema) -> String {
    var whole = export
    var positions: [String: Int] = [:]
    for (position, type) in export.recordTypes.enumerated() where positions[type.name] == nil {
      positions[type.name] = position
    }
    var added: [(type: Int, fields: [Field])] = []
    var types: [RecordType] = []
    for type in recordTypes {
      guard let position = positions[type.name] else {
        types.append(type)
        continue
      }
      let known = Set(export.recordTypes[position].fields.map(\.name))
      let fields = type.fields.filter { !known.contains($0.name) && !$0.name.hasPrefix("___") }
      guard !fields.isEmpty else { continue }
      added.append((position, fields))
      whole.recordTypes[position].fields += fields
    }
    if added.isEmpty, types.isEmpty { return text }
    whole.recordTypes += types
    if export.description == text { return whole.description }
    return SchemaInsertion(text, of: export).text(with: added, types)
  }
}

/// Puts record types and fields into a text and leaves the other bytes as they are.
private struct SchemaInsertion {
  private let bytes: [UInt8]
  private let lineStarts: [Int]
  private let export: CloudKitSchema
  private let lineBreak: String

  init(_ text: String, of export: CloudKitSchema) {
    let bytes = Array(text.utf8)
    lineStarts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    self.bytes = bytes
    lineBreak = text.utf8.contains(0x0D) ? "\r\n" : "\n"
    self.export = export
  }

  func text(with added: [(type: Int, fields: [CloudKitSchema.Field])], _ types: [CloudKitSchema.RecordType]) -> String {
    var insertions: [(offset: Int, text: String)] = []
    for (position, fields) in added {
      let type = export.recordTypes[position]
      if type.fields.isEmpty, let start = type.start {
        let lines = fields.map { $0.line(width: 0) }.joined(separator: ", ")
        insertions.append((offset(start), "\(lines)\(type.grants.isEmpty ? "" : ",")"))
        continue
      }
      let known = type.fields.sorted { CloudKitSchema.isBefore($0.name, $1.name) }
      for field in fields {
        // Before the next field in the order of the names, or else before the first one.
        let next = known.first { CloudKitSchema.isBefore(field.name, $0.name) } ?? type.fields.first
        if let place = next?.position {
          insertions.append((offset(place), "\(field.line(width: 0)),\(gap(before: offset(place)))"))
        }
      }
    }
    if !types.isEmpty {
      let written = types.map { "\($0)" }.joined(separator: "\n").replacing("\n", with: lineBreak)
      insertions.append(endOfTypes(writing: written))
    }
    var whole: [UInt8] = []
    var end = 0
    for (offset, text) in insertions.sorted(by: { ($0.offset, $0.text) < ($1.offset, $1.text) }) {
      whole += bytes[end..<offset]
      whole += text.utf8
      end = offset
    }
    return String(decoding: whole + bytes[end...], as: UTF8.self)
  }

  private func offset(_ position: CloudKitSchema.Position) -> Int {
    var offset = lineStarts[position.line - 1]
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    for _ in 1..<position.column {
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }

  /// The space between a new field and the next one: a line break and its indentation if that is alone on its line.
  private func gap(before offset: Int) -> String {
    let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lead = bytes[start..<offset]
    guard lead.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return " " }
    return lineBreak + String(decoding: lead, as: UTF8.self)
  }

  /// The place after the last record type and its semicolon, and the text there.
  private func endOfTypes(writing types: String) -> (offset: Int, text: String) {
    guard let end = export.recordTypes.compactMap(\.end).max() else {
      return (export.start.map(offset) ?? bytes.count, lineBreak + lineBreak + types)
    }
    var place = offset(end)
    let next = bytes[place...].firstIndex { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }
    let hasSemicolon = next.map { bytes[$0] == UInt8(ascii: ";") } ?? false
    if hasSemicolon, let next { place = next + 1 }
    let types =
      types.hasSuffix(lineBreak) ? String(types.unicodeScalars.dropLast(lineBreak.unicodeScalars.count)) : types
    return (place, (hasSemicolon ? "" : ";") + lineBreak + lineBreak + types)
  }
}
