import Foundation
import VersionHashing

/// Lays a mapping model out as the document that Core Data's XML stores are.
struct XcodeMappingText {
  private var last = 101
  private var text = ""

  static func text(of file: XcodeMappingModel, archives: [Data]) -> String {
    var writer = XcodeMappingText()
    writer.objects(of: file, archives)
    var digest = DataDigest.sha256(of: Data(writer.text.utf8))
    // A UUID of version 8 is made as its maker likes: here of what the file says, so that it says the same each time.
    (digest[6], digest[8]) = (digest[6] & 0x0F | 0x80, digest[8] & 0x3F | 0x80)
    let uuid = digest.prefix(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    return head(uuid: uuid, last: writer.last) + writer.text + "</database>"
  }

  private mutating func next() -> Int {
    last += 1
    return last
  }

  private mutating func objects(of file: XcodeMappingModel, _ archives: [Data]) {
    let root = next()
    let numbered = file.entityMappings.map { mapping in
      (
        next(), mapping, mapping.attributeMappings.map { (next(), $0) },
        mapping.relationshipMappings.map { (next(), $0) }
      )
    }
    object("MAPPINGMODEL", root) { writer in
      for (side, archive) in zip([("source", file.source), ("destination", file.destination)], archives) {
        writer.attribute("\(side.0)modelpath", side.1.versionPath)
        writer.attribute("\(side.0)modeldata", archive)
      }
      writer.relationship("entitymappings", "0/0", "ENTITYMAPPING", numbered.map(\.0))
    }
    for (number, mapping, attributes, relationships) in numbered {
      object("ENTITYMAPPING", number) { writer in
        writer.userInfo(mapping.userInfo)
        writer.attribute("migrationpolicyclassname", mapping.policyClassName)
        writer.attribute("sourcefilterpredicatestring", mapping.filter)
        writer.attribute("sourcename", mapping.source)
        writer.attribute("name", mapping.name)
        writer.attribute("mappingtypename", "Undefined")
        writer.attribute("mappingnumber", "\(mapping.number ?? 0)", type: "int16")
        writer.attribute("destinationname", mapping.destination)
        writer.attribute("autogenerateexpression", "1", type: "bool")
        writer.relationship("mappingmodel", "1/1", "MAPPINGMODEL", [root])
        writer.relationship("attributemappings", "0/0", "ATTRIBUTEMAPPING", attributes.map(\.0))
        writer.relationship("relationshipmappings", "0/0", "RELATIONSHIPMAPPING", relationships.map(\.0))
      }
      for (own, property) in attributes {
        object("ATTRIBUTEMAPPING", own) { writer in writer.property(property, of: number) { _ in } }
      }
      for (own, property) in relationships {
        object("RELATIONSHIPMAPPING", own) { writer in
          writer.property(property, of: number) { writer in
            writer.attribute("sourcemappingname", property.sourceMappingName)
            writer.attribute("sourcekeypath", property.sourceKeyPath)
            writer.attribute("autogenerateexpression", property.generatesExpression ? "1" : "0", type: "bool")
          }
        }
      }
    }
  }

  private mutating func property(
    _ property: XcodePropertyMapping, of mapping: Int, fields: (inout XcodeMappingText) -> Void
  ) {
    userInfo(property.userInfo)
    if case .readable(let expression)? = property.expression {
      attribute("valueexpressiondata", ArchivedExpressionWriter.archive(of: expression))
    }
    fields(&self)
    attribute("name", property.name)
    relationship("entitymapping", "1/1", "ENTITYMAPPING", [mapping])
  }

  private mutating func userInfo(_ entries: [String: String]) {
    guard !entries.isEmpty else { return }
    var writer = ArchivedValueWriter()
    let sorted = entries.sorted { $0.key < $1.key }
    let root = writer.append(.string("$null"))
    let (keys, values) = (sorted.map { writer.add(.string($0.key)) }, sorted.map { writer.add(.string($0.value)) })
    writer.replace(
      root,
      with: writer.object(
        of: ["NSMutableDictionary", "NSDictionary", "NSObject"],
        ["NS.keys": .array(keys), "NS.objects": .array(values)]))
    attribute("userinfodata", Data(writer.archive(of: ["root": root])))
  }

  private mutating func object(_ type: String, _ number: Int, _ content: (inout XcodeMappingText) -> Void) {
    text += "    <object type=\"XDDEV\(type)\" id=\"z\(number)\">\n"
    content(&self)
    text += "    </object>\n"
  }

  private mutating func attribute(_ name: String, _ value: String?, type: String = "string") {
    guard let value else { return }
    text += "        <attribute name=\"\(name)\" type=\"\(type)\">\(SwappedEscapes.encoded(value))</attribute>\n"
  }

  private mutating func attribute(_ name: String, _ bytes: Data?) {
    guard let bytes else { return }
    text += "        <attribute name=\"\(name)\" type=\"binary\">\(Base64.broken(bytes))</attribute>\n"
  }

  private mutating func relationship(_ name: String, _ count: String, _ destination: String, _ targets: [Int]) {
    text += "        <relationship name=\"\(name)\" type=\"\(count)\" destination=\"XDDEV\(destination)\""
    if !targets.isEmpty { text += " idrefs=\"\(targets.map { "z\($0)" }.joined(separator: " "))\"" }
    text += "></relationship>\n"
  }

  /// The beginning of every file of Xcode: its model is that of the editor.
  private static func head(uuid: UUID, last: Int) -> String {
    let hashes = [
      ("AttributeMapping", "0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc="),
      ("EntityMapping", "qeN1Ym3TkWN1G6dU9RfX6Kd2ccEvcDVWHpd3LpLgboI="),
      ("MappingModel", "EqtMzvRnVZWkXwBHu4VeVGy8UyoOe+bi67KC79kphlQ="),
      ("PropertyMapping", "XN33V44TTGY4JETlMoOB5yyTKxB+u4slvDIinv0rtGA="),
      ("RelationshipMapping", "akYY9LhehVA/mCb4ATLWuI9XGLcjpm14wWL1oEBtIcs="),
    ].map { name, hash in
      """
                              <key>XDDev\(name)</key>
                              <data>
      \t\t\(hash)
      \t\t</data>

      """
    }.joined()
    return """
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

      <database>
          <databaseInfo>
              <version>134481920</version>
              <UUID>\(uuid.uuidString)</UUID>
              <nextObjectID>\(last)</nextObjectID>
              <metadata>
                  <plist version="1.0">
                      <dict>
                          <key>NSPersistenceFrameworkVersion</key>
                          <integer>977</integer>
                          <key>NSStoreModelVersionHashes</key>
                          <dict>
      \(hashes)                    </dict>
                          <key>NSStoreModelVersionHashesDigest</key>
                          <string>+Hmc2uYZK6og+Pvx5GUJ7oW75UG4V/ksQanTjfTKUnxyGWJRMtB5tIRgVwGsrd7lz/QR57++wbvWsr6nxwyS0A==</string>
                          <key>NSStoreModelVersionHashesVersion</key>
                          <integer>3</integer>
                          <key>NSStoreModelVersionIdentifiers</key>
                          <array>
                              <string></string>
                          </array>
                      </dict>
                  </plist>
              </metadata>
          </databaseInfo>

      """
  }
}
