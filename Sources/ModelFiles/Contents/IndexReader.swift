import ModelDescription

/// Reads fetch indexes, compound indexes and uniqueness constraints.
enum IndexReader {
  static func fetchIndex(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) throws(ModelFileError) -> FetchIndexDescription {
    var reader = MarkupAttributes(element)
    var index = FetchIndexDescription(name: try reader.name(), elements: [])
    index.partialIndexPredicate = reader.filledText("partialIndexPredicate")
    for child in element.children {
      if child.name == "fetchIndexElement", let part = indexElement(child, &record) {
        index.elements.append(part)
      } else {
        record.noteUnknown(child, in: element)
      }
    }
    reader.finish(&record)
    return index
  }

  private static func indexElement(
    _ element: MarkupElement, _ record: inout ContentsRecord
  ) -> FetchIndexDescription.Element? {
    var reader = MarkupAttributes(element)
    let expression = reader.filledText("expression")
    reader.ignore(["expressionType"])
    guard
      let subject = reader.filledText("property").map(FetchIndexDescription.Element.Subject.property)
        ?? expression.map(FetchIndexDescription.Element.Subject.expression)
    else { return nil }
    var part = FetchIndexDescription.Element(subject: subject)
    switch reader.text("type") {
    case "Binary", nil: part.kind = .binary
    case "RTree": part.kind = .rTree
    case let type?: reader.complain("the index type “\(type)” is unknown and counts as Binary")
    }
    switch reader.text("order") {
    case "ascending", nil: part.isAscending = true
    case "descending": part.isAscending = false
    case let order?: reader.complain("the order “\(order)” is unknown and counts as ascending")
    }
    reader.finish(&record)
    return part
  }

  /// The groups of values that compound indexes and constraints are written in, each with its element.
  static func groups(
    in element: MarkupElement, named groupName: String, of valueName: String, _ record: inout ContentsRecord
  ) -> [(MarkupElement, [String])] {
    var groups: [(MarkupElement, [String])] = []
    for group in element.children {
      guard group.name == groupName else {
        record.noteUnknown(group, in: element)
        continue
      }
      var values: [String] = []
      for child in group.children {
        var reader = MarkupAttributes(child)
        guard child.name == valueName, let value = reader.text("value") else {
          record.noteUnknown(child, in: group)
          continue
        }
        values.append(value)
        reader.finish(&record)
      }
      groups.append((group, values))
    }
    return groups
  }
}
