import Foundation
package import ModelFiles

/// The structure that an accessible page must have, checked in its markup.
package struct PageStructure {
  package let text: String
  package let root: MarkupElement

  /// Reads a page as XML, which it is as well.
  package init(_ text: String) throws {
    self.text = text
    let markup = text.replacingOccurrences(of: "<!DOCTYPE html>\n", with: "")
    root = try MarkupReader.read(Data(markup.utf8), path: "page.html")
  }

  /// Every element of a name.
  package func elements(_ name: String) -> [MarkupElement] { Self.all(root).filter { $0.name == name } }

  /// The errors.
  package var faults: [String] {
    var faults: [String] = []
    let all = Self.all(root)
    if root[attribute: "lang"] != "en" { faults.append("no language") }
    if elements("h1").count != 1 { faults.append("\(elements("h1").count) headings of level 1") }
    if elements("main").count != 1 { faults.append("\(elements("main").count) main elements") }
    if elements("title").first?.text.isEmpty != false { faults.append("no title") }
    let identifiers = all.compactMap { $0[attribute: "id"] }
    if Set(identifiers).count != identifiers.count { faults.append("an id stands twice") }
    var level = 1
    for heading in all.filter({ ["h1", "h2", "h3", "h4"].contains($0.name) }) {
      let next = Int(heading.name.dropFirst()) ?? 0
      if next > level + 1 { faults.append("a heading of level \(next) after one of level \(level)") }
      level = next
    }
    let labels = Set(elements("label").compactMap { $0[attribute: "for"] })
    for input in elements("input") where !labels.contains(input[attribute: "id"] ?? "") {
      faults.append("an input without a label")
    }
    for element in all {
      for attribute in element.attributes {
        let value = attribute.value.lowercased()
        if attribute.name.hasPrefix("on") { faults.append("\(element.name) has \(attribute.name)") }
        guard ["href", "src", "action", "xlink:href", "data", "style"].contains(attribute.name) else { continue }
        if !value.hasPrefix("#") { faults.append("\(element.name) leads to \(attribute.value)") }
      }
      if let anchor = element[attribute: "href"]?.dropFirst(), !identifiers.contains(String(anchor)) {
        faults.append("a link to #\(anchor), which is not there")
      }
      if ["iframe", "object", "embed", "link", "img", "image", "use", "foreignObject"].contains(element.name) {
        faults.append("a \(element.name)")
      }
    }
    if elements("script").count > 1 { faults.append("\(elements("script").count) scripts") }
    for table in elements("table") where table.children.first?.name != "caption" {
      faults.append("a table without a caption")
    }
    for picture in elements("svg") where picture[attribute: "aria-hidden"] != "true" {
      faults.append("a picture that is read aloud beside its text")
    }
    if text.contains("@import") || text.contains("url(") { faults.append("the style loads something") }
    return faults
  }

  package static func all(_ element: MarkupElement) -> [MarkupElement] { [element] + element.children.flatMap(all) }
}

extension PageStructure {
  /// The variables of the style: those of light pages, and of dark ones on top.
  package func colors(isDark: Bool) -> [String: String] {
    let parts = text.components(separatedBy: "@media (prefers-color-scheme: dark) {")
    let light = Self.variables(in: parts.first ?? "")
    guard isDark, parts.count > 1 else { return light }
    return light.merging(Self.variables(in: String(parts[1].prefix { $0 != "}" }))) { $1 }
  }

  private static func variables(in text: String) -> [String: String] {
    var variables: [String: String] = [:]
    for piece in text.components(separatedBy: "--").dropFirst() {
      let parts = piece.components(separatedBy: ": ")
      guard parts.count > 1, parts[1].hasPrefix("#") else { continue }
      variables[parts[0]] = String(parts[1].prefix { $0 != ";" })
    }
    return variables
  }

  /// The contrast of two colours by WCAG 2.2: 1 to 21.
  package static func contrast(_ first: String, _ second: String) -> Double {
    let lights = [luminance(first), luminance(second)].sorted()
    return (lights[1] + 0.05) / (lights[0] + 0.05)
  }

  private static func luminance(_ color: String) -> Double {
    let number = Int(color.dropFirst(), radix: 16) ?? 0
    let parts = [number >> 16 & 255, number >> 8 & 255, number & 255].map { part in
      let share = Double(part) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
