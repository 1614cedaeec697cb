import ModelDescription

/// Turns a model into the elements that Xcode writes for it, with nothing but what the model says.
///
/// What is not said is not written: a flag that is NO, a count of 0, a type that is not set.
enum ContentsForm {
  static func element(_ model: ManagedObjectModel) -> ContentsElement {
    var root = ContentsElement("model")
    root.set("userDefinedModelVersionIdentifier", model.versionIdentifiers.first ?? "")
    root.children += model.entities.map(element)
    root.children += model.composites.map { composite in
      var element = ContentsElement("composite", children: composite.elements.map(PropertyForm.element))
      element.set("name", composite.name)
      return element
    }
    root.children += model.fetchRequests.map(FetchRequestForm.element)
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
    element.children += entity.attributes.map(PropertyForm.element)
    element.children += entity.relationships.map(PropertyForm.element)
    element.children += entity.fetchedProperties.map(PropertyForm.element)
    element.children += entity.fetchIndexes.map(index)
    element.children += groups(entity.compoundIndexes, in: "compoundIndexes", named: "compoundIndex", of: "index")
    element.children += groups(
      entity.uniquenessConstraints, in: "uniquenessConstraints", named: "uniquenessConstraint", of: "constraint")
    element.children += userInfo(entity.userInfo)
    return element
  }

  /// The developer's own entries by their keys, as Xcode sorts them; nothing where there are none.
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

  private static func index(_ index: FetchIndexDescription) -> ContentsElement {
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
