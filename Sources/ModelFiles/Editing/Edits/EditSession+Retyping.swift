import ModelDescription

extension EditSession {
  /// The settings that depend on the type; limits are converted if both types have them.
  private static let settings = AttributeSetting.allCases.filter { $0 != .minimum && $0 != .maximum }

  mutating func retype(
    _ name: String, of entity: String, to type: AttributeType, from storedType: AttributeType?
  ) throws(ContentsEditError) {
    let node = try node(of: name, in: entity)
    let element = ModelElement.property(entity: entity, name: name)
    guard node.name == "attribute",
      let old = hierarchy.entity(named: entity)?.attributes.first(where: { $0.name == name })
    else { throw .notAnAttribute(element) }
    guard old.type != type else { throw .nothingToDo(element, "is of type \(type.name)") }
    switch type {
    case .composite, .objectID, .undefined, .unrecognized:
      throw .unsupportedType(type.name, known: AttributeText.givenTypes.map(\.name))
    default: break
    }
    set("attributeType", type.name, on: node)
    note(element, "\(type.name) instead of \(old.type.name)")
    for setting in Self.settings where node[setting.rawValue] != nil && !setting.suits(type) {
      removeAttribute(setting.rawValue, of: node)
      note(element, "without \(setting.rawValue), which \(type.name) does not have")
    }
    let scalar = AttributeSetting.scalar.rawValue
    if node[scalar] == nil, let usesScalar = type.usesScalarByDefault {
      set(scalar, usesScalar ? "YES" : "NO", on: node)
      note(element, "with \(scalar), as Xcode writes it for \(type.name)")
    }
    retypeValue(
      of: node, "default value", "defaultValueString", "defaultDateTimeInterval", from: old.type, to: type, element)
    retypeValue(of: node, "minimum", "minValueString", "minDateTimeInterval", from: old.type, to: type, element)
    retypeValue(of: node, "maximum", "maxValueString", "maxDateTimeInterval", from: old.type, to: type, element)
    if old.isTransient { return }
    let stored = storedType ?? old.type
    let conversion = TypeConversion(from: stored, to: type)
    if !conversion.isInferable {
      let mapping: Advice = "write a mapping model: \(run: "modelctl", "mapping", "new", "--help")"
      let cast: Advice = "cast the values: \(run: "modelctl", "migrate", "STORE", "--cast", "\(element)")"
      warn(
        "a migration cannot infer \(type.name) from \(stored.name) for rows of an older version",
        conversion.isCastable ? "\(cast); or \(mapping)" : mapping)
    } else if !conversion.isExact {
      warn("not every \(stored.name) has an equal \(type.name), so a migration may round or refuse values")
    }
  }

  /// Converts a value to the new type, or removes it if that is not possible; a limit of a string is a length.
  private mutating func retypeValue(
    of node: MarkupNode, _ what: String, _ key: String, _ dateKey: String, from oldType: AttributeType,
    to type: AttributeType, _ element: ModelElement
  ) {
    if node[dateKey] != nil {
      removeAttribute(dateKey, of: node)
      if node[key] != nil { removeAttribute(key, of: node) }
      return note(element, "without its \(what), a date")
    }
    guard let text = node[key] else { return }
    let isBound = key != "defaultValueString"
    let isKept = !isBound || (oldType == .string) == (type == .string)
    let kind = isBound && type == .string ? .integer64 : type
    let spelled = { (value: AttributeValue) in
      isBound ? AttributeSpelling.limit(value) : AttributeSpelling.defaultValue(value)
    }
    guard isKept, let value = AttributeText.value(of: text, as: kind), let new = spelled(value) else {
      removeAttribute(key, of: node)
      return note(element, "without its \(what) “\(text)”, which is not a valid \(type.name)")
    }
    guard new != text, AttributeText.value(of: text, as: kind) != nil else { return }
    set(key, new, on: node)
    note(element, "its \(what) is \(new)")
  }
}
