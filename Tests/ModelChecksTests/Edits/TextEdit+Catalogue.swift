import Foundation
import ModelDescription
import ModelFiles

extension TextEdit {
  /// Every way in which the hash of an entity can change.
  static let hashed: [TextEdit] = [
    attribute("attribute optional") { $0.toggling("optional") },
    attribute("attribute type") { line in
      let type = line.value(of: "attributeType") == "String" ? "Date" : "String"
      return line.setting("attributeType", type).setting("defaultValueString", nil).setting("minValueString", nil)
        .setting("maxValueString", nil)
    },
    attribute("attribute name") { $0.setting("name", "edited") },
    attribute("attribute modifier") { $0.setting("versionHashModifier", "edited") },
    attribute("attribute transient") { $0.toggling("transient") },
    attribute("attribute preserved in history") { $0.toggling("preserveAfterDeletion") },
    attribute("external storage") { line in
      line.value(of: "attributeType") == "Binary" ? line.toggling("allowsExternalBinaryDataStorage") : nil
    },
    relationship("relationship optional") { $0.toggling("optional") },
    relationship("relationship name") { $0.setting("name", "edited") },
    relationship("relationship modifier") { $0.setting("versionHashModifier", "edited") },
    relationship("relationship count") { line in
      line.value(of: "toMany") == "YES"
        ? line.setting("toMany", nil).setting("maxCount", "1")
        : line.setting("maxCount", nil).setting("toMany", "YES")
    },
    relationship("relationship minimum") { line in
      line.setting("minCount", line.value(of: "minCount") == "1" ? "0" : "1")
    },
    relationship("relationship order") { line in
      line.value(of: "toMany") == "YES" ? line.toggling("ordered") : nil
    },
    TextEdit(kind: "relationship destination") { text, entity in
      guard let (_, position) = relationshipLine(of: entity, text),
        let other = text.file.model.entities.first(where: {
          $0.name != text.lines[position].value(of: "destinationEntity")
        })
      else { return nil }
      return (text.replacing(position, with: text.lines[position].setting("destinationEntity", other.name)), position)
    },
    TextEdit(kind: "attribute removed") { text, entity in
      guard let (_, position) = attributeLine(of: entity, text), text.lines[position].hasSuffix("/>"),
        let start = text.position(of: .entity(entity.name))
      else { return nil }
      return (text.replacing(position, with: ""), start)
    },
    TextEdit(kind: "relationship removed") { text, entity in
      guard let (_, position) = relationshipLine(of: entity, text), text.lines[position].hasSuffix("/>"),
        let start = text.position(of: .entity(entity.name))
      else { return nil }
      return (text.replacing(position, with: ""), start)
    },
    inside("attribute added", [#"<attribute name="added" optional="YES" attributeType="String"/>"#]),
    entity("entity abstract") { $0.toggling("isAbstract") },
    entity("entity modifier") { $0.setting("versionHashModifier", "edited") },
    TextEdit(kind: "entity parent") { text, entity in
      guard let position = text.position(of: .entity(entity.name)) else { return nil }
      let line = text.lines[position]
      if entity.superentityName != nil {
        return (text.replacing(position, with: line.setting("parentEntity", nil)), position)
      }
      let roots = text.file.model.entities.filter { $0.superentityName == nil && $0.name != entity.name }
      guard let parent = roots.first else { return nil }
      return (text.replacing(position, with: line.setting("parentEntity", parent.name)), position)
    },
    TextEdit(kind: "entity added") { text, entity in
      guard let position = text.position(of: .entity(entity.name)) else { return nil }
      let added = [#"<entity name="Added">"#, #"<attribute name="x" attributeType="String"/>"#, "</entity>"]
      return (text.inserting(added, at: position), position)
    },
    TextEdit(kind: "entity removed") { text, entity in
      let isParent = text.file.model.entities.contains { $0.superentityName == entity.name }
      guard !isParent, let position = text.position(of: .entity(entity.name)),
        let end = text.end(ofEntityAt: position), let model = text.position(of: .model)
      else { return nil }
      var lines = text.lines
      lines.replaceSubrange(position...end, with: Array(repeating: "", count: end - position + 1))
      return (lines, model)
    },
    TextEdit(kind: "entity name") { text, entity in
      guard let position = text.position(of: .entity(entity.name)) else { return nil }
      let keys = ["destinationEntity", "inverseEntity", "parentEntity"]
      var lines = text.lines.map { line in
        keys.reduce(line) { line, key in
          line.replacingOccurrences(of: " \(key)=\"\(entity.name)\"", with: " \(key)=\"Edited\"")
        }
      }
      lines[position] = lines[position].setting("name", "Edited")
      return (lines, position)
    },
    TextEdit(kind: "uniqueness constraint") { text, entity in
      guard let position = text.position(of: .entity(entity.name)), !text.lines[position].hasSuffix("/>"),
        entity.uniquenessConstraints.isEmpty, let attribute = entity.attributes.first(where: { !$0.isTransient })
      else { return nil }
      let constraint = [
        "<uniquenessConstraints><uniquenessConstraint>", "<constraint value=\"\(attribute.name)\"/>",
        "</uniquenessConstraint></uniquenessConstraints>",
      ]
      return (text.inserting(constraint, at: position + 1), position)
    },
  ]

  /// Content that editors write outside the hash.
  static let unhashed: [TextEdit] = [
    inside("user info", [#"<userInfo><entry key="edited" value="yes"/></userInfo>"#]),
    inside("index", [#"<fetchIndex name="edited"><fetchIndexElement property="x" type="Binary"/></fetchIndex>"#]),
    inside("fetched property", [#"<fetchedProperty name="edited" optional="YES"/>"#]),
    attribute("default") { line in
      ["String", "Integer 16", "Integer 32", "Integer 64"].contains(line.value(of: "attributeType"))
        ? line.setting("defaultValueString", line.value(of: "defaultValueString") == "7" ? "8" : "7") : nil
    },
    attribute("minimum") { line in
      line.value(of: "attributeType") == "String" ? line.setting("minValueString", "1") : nil
    },
    attribute("regular expression") { line in
      line.value(of: "attributeType") == "String" ? line.setting("regularExpressionString", "a+") : nil
    },
    attribute("indexed") { $0.toggling("indexed") },
    attribute("spotlight") { $0.toggling("spotlightIndexingEnabled") },
    attribute("scalar") { $0.toggling("usesScalarValueType") },
    attribute("syncable") { $0.toggling("syncable") },
    attribute("attribute renaming identifier") { $0.setting("elementID", "edited") },
    relationship("delete rule") { line in
      line.setting("deletionRule", line.value(of: "deletionRule") == "Cascade" ? "Deny" : "Cascade")
    },
    relationship("relationship renaming identifier") { $0.setting("elementID", "edited") },
    entity("class name") { $0.setting("representedClassName", "EditedClass") },
    entity("code generation") { $0.setting("codeGenerationType", "category") },
    entity("entity renaming identifier") { $0.setting("elementID", "edited") },
    TextEdit(kind: "positions") { text, _ in
      guard let position = text.lines.firstIndex(where: { $0.contains("<element name=") }) else { return nil }
      return (text.replacing(position, with: text.lines[position].setting("positionX", "4711")), position)
    },
    TextEdit(kind: "comment") { text, entity in
      text.position(of: .entity(entity.name)).map { (text.inserting(["<!-- edited -->"], at: $0), $0) }
    },
    TextEdit(kind: "order of entities") { text, entity in
      guard let position = text.position(of: .entity(entity.name)), let end = text.end(ofEntityAt: position),
        let last = text.file.model.entities.last, last.name != entity.name,
        let lastPosition = text.position(of: .entity(last.name)), let lastEnd = text.end(ofEntityAt: lastPosition),
        lastPosition > end
      else { return nil }
      var lines = text.inserting(Array(text.lines[position...end]), at: lastEnd + 1)
      lines.removeSubrange(position...end)
      return (lines, position)
    },
  ]

  private static func attribute(_ kind: String, _ edit: @escaping @Sendable (String) -> String?) -> TextEdit {
    TextEdit(kind: kind) { text, entity in
      guard let (_, position) = attributeLine(of: entity, text), let line = edit(text.lines[position]) else {
        return nil
      }
      return (text.replacing(position, with: line), position)
    }
  }

  private static func relationship(_ kind: String, _ edit: @escaping @Sendable (String) -> String?) -> TextEdit {
    TextEdit(kind: kind) { text, entity in
      guard let (_, position) = relationshipLine(of: entity, text), let line = edit(text.lines[position]) else {
        return nil
      }
      return (text.replacing(position, with: line), position)
    }
  }

  private static func entity(_ kind: String, _ edit: @escaping @Sendable (String) -> String) -> TextEdit {
    TextEdit(kind: kind) { text, entity in
      text.position(of: .entity(entity.name)).map { (text.replacing($0, with: edit(text.lines[$0])), $0) }
    }
  }

  /// Puts lines right behind the start tag of an entity.
  private static func inside(_ kind: String, _ lines: [String]) -> TextEdit {
    TextEdit(kind: kind) { text, entity in
      guard let position = text.position(of: .entity(entity.name)), !text.lines[position].hasSuffix("/>") else {
        return nil
      }
      return (text.inserting(lines, at: position + 1), position + 1)
    }
  }

  /// An attribute that is stored: another one for each entity, so that many shapes are met.
  private static func attributeLine(of entity: EntityDescription, _ text: TextModel) -> (String, Int)? {
    let names = entity.attributes.filter { !$0.isTransient && $0.derivation == nil }.map(\.name)
    return line(of: names, entity, text)
  }

  private static func relationshipLine(of entity: EntityDescription, _ text: TextModel) -> (String, Int)? {
    line(of: entity.relationships.filter { !$0.isTransient }.map(\.name), entity, text)
  }

  private static func line(of names: [String], _ entity: EntityDescription, _ text: TextModel) -> (String, Int)? {
    guard !names.isEmpty else { return nil }
    let name = names[entity.name.utf8.count % names.count]
    return text.position(of: .property(entity: entity.name, name: name)).map { (name, $0) }
  }
}
