import ModelDescription

/// The form of a file's text: what is the same for all of its elements.
struct ContentsStyle: Hashable, Sendable {
  /// The XML declaration of the file; empty if it has none.
  var declaration = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
  /// The text between the declaration and the model, such as the comment of a licence.
  var prologue = ""
  var lineEnd = "\n"
  /// The indentation of a line for each enclosing element.
  var indentation = "    "
  /// True if the last line has a line end, which Xcode omits.
  var endsLastLine = false
  /// False if `>` is written unescaped, as by Xcode 4.
  var escapesGreaterThan = true

  static let xcode = ContentsStyle()
}

extension ContentsStyle {
  init(of source: MarkupSource) {
    let bytes = source.bytes
    lineEnd = LineEnds.first(in: bytes).map { String(decoding: $0, as: UTF8.self) } ?? lineEnd
    let head = bytes[..<source.root.range.lowerBound]
    if head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")) {
      let text = String(decoding: head[...end], as: UTF8.self)
      // Whatever a file was in, it is written in UTF-8.
      if text.lowercased().contains("utf-8") || !text.contains("encoding") { declaration = text }
      prologue = Self.trimmed(head[(end + 1)...])
    } else {
      declaration = ""
      prologue = Self.trimmed(head)
    }
    if let child = source.root.children.first, let content = source.root.content {
      let lead = bytes[content.lowerBound..<child.range.lowerBound]
      if let end = lead.lastIndex(of: UInt8(ascii: "\n")) {
        indentation = String(decoding: lead[(end + 1)...], as: UTF8.self)
      }
    }
    endsLastLine = bytes.last == UInt8(ascii: "\n")
    escapesGreaterThan = !Self.hasGreaterThan(source.root, in: source)
  }

  /// A piece without the white space around it.
  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    guard let first = bytes.firstIndex(where: { !MergeAside.isSpace($0) }),
      let last = bytes.lastIndex(where: { !MergeAside.isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  /// True if a value contains the unescaped character.
  private static func hasGreaterThan(_ node: MarkupNode, in source: MarkupSource) -> Bool {
    node.attributes.contains { source[$0.valueRange].contains(UInt8(ascii: ">")) }
      || node.children.contains { hasGreaterThan($0, in: source) }
  }
}

/// Converts a model to the elements that Xcode writes for it.
///
/// Default values are not written: a flag that is NO, a count of 0, a type that is not set.
enum ContentsForm {
  static func element(_ model: ManagedObjectModel) -> ContentsElement {
    var root = ContentsElement("model")
    root.set("userDefinedModelVersionIdentifier", model.versionIdentifiers.first ?? "")
    root.children += model.entities.map(element)
    root.children += model.composites.map { composite in
      var element = ContentsElement("composite", children: composite.elements.map(PropertyElements.element))
      element.set("name", composite.name)
      return element
    }
    root.children += model.fetchRequests.map(FetchRequestElements.element)
    root.children += model.configurations.map { configuration in
      var element = ContentsElement("configuration", children: named("memberEntity", configuration.entityNames))
      element.set("name", configuration.name)
      return element
    }
    return root
  }

  static func element(_ entity: EntityDescription) -> ContentsElement {
    var element = ContentsElement("entity")
    element.set("name", entity.name)
    element.set("representedClassName", filled: entity.className)
    element.set("isAbstract", flag: entity.isAbstract)
    element.set("parentEntity", filled: entity.superentityName)
    element.set("elementID", filled: entity.renamingIdentifier)
    element.set("versionHashModifier", filled: entity.versionHashModifier)
    element.set("syncable", flag: entity.isSyncable)
    element.set("codeGenerationType", entity.codeGeneration)
    element.children += entity.attributes.map(PropertyElements.element)
    element.children += entity.relationships.map(PropertyElements.element)
    element.children += entity.fetchedProperties.map(PropertyElements.element)
    element.children += entity.fetchIndexes.map(index)
    element.children += groups(entity.compoundIndexes, in: "compoundIndexes", named: "compoundIndex", of: "index")
    element.children += constraints(entity.uniquenessConstraints)
    element.children += userInfo(entity.userInfo)
    return element
  }

  /// The user info entries in Xcode's order; empty if there are none.
  static func userInfo(_ entries: [String: String]) -> [ContentsElement] {
    guard !entries.isEmpty else { return [] }
    let elements = entries.sorted { $0.key < $1.key }.map { key, value in
      var entry = ContentsElement("entry")
      entry.set("key", key)
      entry.set("value", value)
      return entry
    }
    return [ContentsElement("userInfo", children: elements)]
  }

  static func index(_ index: FetchIndexDescription) -> ContentsElement {
    var element = ContentsElement("fetchIndex", children: index.elements.map(indexElement))
    element.set("name", index.name)
    element.set("partialIndexPredicate", filled: index.partialIndexPredicate)
    return element
  }

  private static func indexElement(_ part: FetchIndexDescription.Element) -> ContentsElement {
    var element = ContentsElement("fetchIndexElement")
    switch part.subject {
    case .property(let name): element.set("property", name)
    case .expression(let text): element.set("expression", text)
    }
    element.set("type", part.kind == .rTree ? "RTree" : "Binary")
    element.set("order", part.isAscending ? "ascending" : "descending")
    return element
  }

  /// The uniqueness constraints of an entity in their container; empty if there are none.
  static func constraints(_ constraints: [[String]]) -> [ContentsElement] {
    groups(constraints, in: "uniquenessConstraints", named: "uniquenessConstraint", of: "constraint")
  }

  private static func groups(
    _ groups: [[String]], in name: String, named groupName: String, of valueName: String
  ) -> [ContentsElement] {
    guard !groups.isEmpty else { return [] }
    let elements = groups.map { values in
      let children = values.map { value in
        var element = ContentsElement(valueName)
        element.set("value", value)
        return element
      }
      return ContentsElement(groupName, children: children)
    }
    return [ContentsElement(name, children: elements)]
  }

  private static func named(_ name: String, _ names: [String]) -> [ContentsElement] {
    names.map {
      var element = ContentsElement(name)
      element.set("name", $0)
      return element
    }
  }
}
