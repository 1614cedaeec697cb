import CLibXML2

/// The XML Schema of mapping files, the same as `docs/schemas/mapping.xsd`, so that the program needs no file beside it.
public enum MappingSchema {
  /// The schema's text.
  public static let text = String(decoding: PackageResources.mapping_xsd, as: UTF8.self)
}

/// Validates a document against an XML Schema, through libxml2.
package final class SchemaValidation {
  /// Something that breaks the schema.
  package struct Finding: Hashable {
    /// The element's number in the document's order, counted from 0.
    package var element: Int
    /// The cause in libxml2's words.
    package var message: String
  }

  private var problem: Finding?

  /// Set up once, before threads use it: a thread that comes meanwhile finds types such as `xs:string` missing.
  private static let typesAreReady: Void = {
    _ = MarkupReader.isReady
    modelctl_xml_init_types()
  }()

  /// Validates a document.
  ///
  /// - Parameter bytes: the document in UTF-8; it must be well-formed and declare no entities.
  /// - Returns: the first thing that breaks the schema, nil for a valid document.
  package static func problem(in bytes: [UInt8], schema: String) -> Finding? {
    _ = typesAreReady
    let validation = SchemaValidation()
    let result = validation.run(bytes, Array(schema.utf8))
    if result != 0, validation.problem == nil {
      return Finding(element: 0, message: "it cannot be compared with the schema")
    }
    return validation.problem
  }

  private func run(_ bytes: [UInt8], _ schema: [UInt8]) -> Int32 {
    var events = ModelctlSchemaEvents()
    events.user = Unmanaged.passUnretained(self).toOpaque()
    events.problem = { user, element, message in
      guard let user, let message else { return }
      Unmanaged<SchemaValidation>.fromOpaque(user).takeUnretainedValue()
        .problem = Finding(element: Int(element), message: String(cString: message))
    }
    return bytes.withUnsafeBytes { document in
      schema.withUnsafeBytes { schema in
        modelctl_xml_validate(
          &events, document.bindMemory(to: CChar.self).baseAddress, Int32(clamping: document.count),
          schema.bindMemory(to: CChar.self).baseAddress, Int32(clamping: schema.count))
      }
    }
  }
}
