import ModelDescription

/// Turns fetch requests into elements.
enum FetchRequestForm {
  static func element(_ request: FetchRequestDescription) -> ContentsElement {
    var element = ContentsElement("fetchRequest")
    element.set("name", request.name)
    element.set("entity", request.entityName)
    element.set("predicateString", filled: request.predicate)
    for (name, value) in request.settings.sorted(by: { $0.key < $1.key }) { element.set(name, value) }
    return element.inEditorOrder()
  }
}
