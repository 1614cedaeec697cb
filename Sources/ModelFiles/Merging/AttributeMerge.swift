import ModelDescription

/// The attributes of one element, merged.
struct AttributeMerge {
  /// From which side an attribute's text is taken.
  enum Origin {
    case ours
    case theirs
    case neither
  }

  /// One attribute and the source of its text in each side's form; the forms differ if the sides disagree.
  struct Entry {
    let name: String
    var inOurs: Origin
    var inTheirs: Origin
  }

  struct Disagreement {
    let name: String
    let base: String?
    let ours: String?
    let theirs: String?
  }

  private(set) var entries: [Entry] = []
  private(set) var disagreements: [Disagreement] = []

  /// - Parameters:
  ///   - base: the common ancestor; nil if both sides added the element.
  ///   - ours: our element, whose order is kept.
  ///   - isLayout: whether the element is only part of the diagram, in which ours is as good as theirs.
  init(_ base: MarkupNode?, _ ours: MarkupNode, _ theirs: MarkupNode, isLayout: Bool) {
    for name in ours.attributes.map(\.name) { add(name, base, ours, theirs, isLayout) }
    let known = Set(ours.attributes.map(\.name))
    for (position, name) in theirs.attributes.map(\.name).enumerated() where !known.contains(name) {
      let before = theirs.attributes[..<position].map(\.name)
      add(name, base, ours, theirs, isLayout, after: before)
    }
    if let base, !isLayout { settleGroups(base, ours, theirs) }
  }

  private mutating func add(
    _ name: String, _ base: MarkupNode?, _ ours: MarkupNode, _ theirs: MarkupNode, _ isLayout: Bool,
    after before: [String]? = nil
  ) {
    let (baseValue, our, their) = (base?[name], ours[name], theirs[name])
    let ourOrigin: Origin = our == nil ? .neither : .ours
    let theirOrigin: Origin = their == nil ? .neither : .theirs
    let isSame = AttributeGroups.meaning(our, of: name) == AttributeGroups.meaning(their, of: name)
    let isAlike = isSame || isLayout || AttributeGroups.isIncidental(name, of: ours.name)
    let entry: Entry
    if Self.isSpelledDifferently(name, ours, theirs) {
      entry = Entry(name: name, inOurs: ourOrigin, inTheirs: ourOrigin)
    } else if our == their || base != nil && baseValue == their || isLayout && base != nil && baseValue != our {
      entry = Entry(name: name, inOurs: ourOrigin, inTheirs: ourOrigin)
    } else if base != nil && baseValue == our || base == nil && our == nil && isAlike {
      entry = Entry(name: name, inOurs: theirOrigin, inTheirs: theirOrigin)
    } else if base == nil && (their == nil || our != nil && isSame) && isAlike || isLayout {
      entry = Entry(name: name, inOurs: ourOrigin, inTheirs: ourOrigin)
    } else if let our, let their, Self.toolVersions.contains(name), ours.name == "model" {
      let origin: Origin = VersionOrder.isOrdered(our, before: their) ? .theirs : .ours
      entry = Entry(name: name, inOurs: origin, inTheirs: origin)
    } else if let base, Self.isMeaningless(name, ours, since: base) {
      entry = Entry(name: name, inOurs: theirOrigin, inTheirs: theirOrigin)
    } else if let base, Self.isMeaningless(name, theirs, since: base) || Self.isMeaningless(name, theirs, since: ours) {
      entry = Entry(name: name, inOurs: ourOrigin, inTheirs: ourOrigin)
    } else {
      entry = Entry(name: name, inOurs: ourOrigin, inTheirs: theirOrigin)
      disagreements.append(Disagreement(name: name, base: baseValue, ours: our, theirs: their))
    }
    entries.insert(entry, at: before.map { place(of: name, in: ours.name, after: $0) } ?? entries.count)
  }

  /// True for an identifier that one side calls `renamingIdentifier` and the other `elementID`.
  private static func isSpelledDifferently(_ name: String, _ ours: MarkupNode, _ theirs: MarkupNode) -> Bool {
    guard AttributeGroups.isIdentifier(name), ours[name] != theirs[name] else { return false }
    let identifiers = [ours, theirs].map { $0.filled("renamingIdentifier") ?? $0.filled("elementID") }
    return identifiers[0] != nil && identifiers[0] == identifiers[1]
  }

  /// True for an identifier that a side changed without a change of meaning: it equals the element's name, or did.
  private static func isMeaningless(_ name: String, _ side: MarkupNode, since base: MarkupNode) -> Bool {
    AttributeGroups.isIdentifier(name)
      && AttributeGroups.meaning(of: name, in: side) == AttributeGroups.meaning(of: name, in: base)
  }

  /// Makes a disagreement of changes to different attributes with a common meaning, unless one side's changes contain
  /// the changes of the other side.
  private mutating func settleGroups(_ base: MarkupNode, _ ours: MarkupNode, _ theirs: MarkupNode) {
    for group in AttributeGroups.groups(of: ours.name) {
      let names = group.filter { !Self.isSpelledDifferently($0, ours, theirs) }
      func changes(_ side: MarkupNode, from base: MarkupNode) -> Set<String> {
        Set(
          names.filter {
            AttributeGroups.meaning(of: $0, in: side) != AttributeGroups.meaning(of: $0, in: base)
          })
      }
      let (our, their) = (changes(ours, from: base), changes(theirs, from: base))
      let open = changes(ours, from: theirs)
      guard !our.isDisjoint(with: open), !their.isDisjoint(with: open) else { continue }
      let known = Set(disagreements.map(\.name))
      for name in names where open.contains(name) && !known.contains(name) {
        guard let position = entries.firstIndex(where: { $0.name == name }) else { continue }
        entries[position].inOurs = ours[name] == nil ? .neither : .ours
        entries[position].inTheirs = theirs[name] == nil ? .neither : .theirs
        disagreements.append(Disagreement(name: name, base: base[name], ours: ours[name], theirs: theirs[name]))
      }
    }
  }

  /// Which tools saved the file last; the newer ones count.
  private static let toolVersions: Set<String> = ["lastSavedToolsVersion", "systemVersion"]

  /// The position of an attribute that only theirs has.
  private func place(of name: String, in element: String, after before: [String]) -> Int {
    let names = entries.map(\.name)
    if EditorOrder.rank(ofAttribute: name, in: element) != nil {
      return EditorOrder.position(of: name, among: names, in: element)
    }
    return names.lastIndex { before.contains($0) }.map { $0 + 1 } ?? names.count
  }
}

/// The meanings of attributes that a merge depends on.
enum AttributeGroups {
  /// Attributes that say one thing together: what one side decided about one of them may be wrong with what the other
  /// side decided about another.
  static func groups(of element: String) -> [[String]] {
    switch element {
    case "entity": [naming, inheritance]
    case "attribute": [naming, presence, type]
    case "relationship": [naming, count, destination]
    default: []
    }
  }

  /// The identifier is the former name; with a different name it would be that of the wrong element.
  private static let naming = ["name", "renamingIdentifier", "elementID"]
  /// An abstract entity lacks rows of its own: what it inherits and who can be saved go together.
  private static let inheritance = ["isAbstract", "parentEntity"]
  /// A required attribute without a default value blocks the migration of every row without a value.
  private static let presence = ["optional", "defaultValueString", "defaultDateTimeInterval"]
  /// Default, limits and derivation are read as values of the type.
  private static let type = [
    "attributeType", "defaultValueString", "defaultDateTimeInterval", "minValueString", "maxValueString",
    "minDateTimeInterval", "maxDateTimeInterval", "regularExpressionString", "derived", "derivationExpression",
    "composite", "valueTransformerName",
  ]
  private static let count = ["toMany", "minCount", "maxCount"]
  private static let destination = ["destinationEntity", "inverseName", "inverseEntity"]

  /// True for an attribute that contains the former name of an element.
  static func isIdentifier(_ name: String) -> Bool { name == "renamingIdentifier" || name == "elementID" }

  /// The meaning of an attribute in an element; an identifier that equals the element's name has no meaning.
  static func meaning(of name: String, in node: MarkupNode) -> String? {
    isIdentifier(name)
      ? RenamingIdentifier.meaning(of: node[name], of: node["name"]) : meaning(node[name], of: name)
  }

  /// The value as far as it means something: nil for one that means the same as none.
  static func meaning(_ value: String?, of name: String) -> String? {
    guard let value else { return nil }
    if flags.contains(name) { return MarkupAttributes.flag(value) == true ? "YES" : nil }
    if counts.contains(name) { return value == "0" ? nil : value }
    return value.isEmpty && name != "defaultValueString" ? nil : value
  }

  /// True for an attribute without meaning for data; one side alone may set it on an element that both added.
  static func isIncidental(_ name: String, of element: String) -> Bool { element == "model" || name == "syncable" }

  private static let flags: Set<String> = [
    "allowsCloudEncryption", "allowsExternalBinaryDataStorage", "derived", "indexed", "isAbstract",
    "isSyncIdentityProperty", "optional", "ordered", "preserveAfterDeletion", "spotlightIndexingEnabled",
    "storedInTruthFile", "toMany", "transient", "usesScalarValueType",
  ]
  private static let counts: Set<String> = ["fetchBatchSize", "fetchLimit", "minCount"]
}
