import Foundation
import ModelDescription
import ModelFiles

/// Writes the text of an `xcmapping.xml`.
struct XcodeMappingFixture {
  /// An attribute of an object; bytes are written in base64.
  enum Value {
    case text(String)
    case bytes(Data)
  }

  /// A property mapping.
  struct Property {
    var values: [String: Value]

    init(_ name: String?, _ values: [String: Value] = [:]) {
      self.values = values
      if let name { self.values["name"] = .text(name) }
    }
  }

  /// An entity mapping.
  struct Mapping {
    var values: [String: Value] = [:]
    var attributes: [Property] = []
    var relationships: [Property] = []

    init(
      _ source: String?, _ destination: String?, number: Int? = 1, _ values: [String: Value] = [:],
      attributes: [Property] = [], relationships: [Property] = []
    ) {
      self.values = values
      if let source { self.values["sourcename"] = .text(source) }
      if let destination { self.values["destinationname"] = .text(destination) }
      if let number { self.values["mappingnumber"] = .text(String(number)) }
      self.attributes = attributes
      self.relationships = relationships
    }
  }

  var source: ManagedObjectModel
  var destination: ManagedObjectModel
  var mappings: [Mapping]

  /// The text; each object is on a line of its own.
  var text: String {
    var lines = [
      #"<?xml version="1.0" standalone="yes"?>"#,
      #"<!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#,
      "<database><databaseInfo><version>134481920</version></databaseInfo>",
    ]
    var entityIDs: [String] = []
    for (position, mapping) in mappings.enumerated() {
      let id = "z\(position)"
      entityIDs.append(id)
      var (attributes, relationships): ([String], [String]) = ([], [])
      for (index, property) in mapping.attributes.enumerated() {
        attributes.append("\(id)a\(index)")
        lines.append(object("ATTRIBUTE", "\(id)a\(index)", property.values))
      }
      for (index, property) in mapping.relationships.enumerated() {
        relationships.append("\(id)r\(index)")
        var values = property.values
        if values["autogenerateexpression"] == nil { values["autogenerateexpression"] = .text("1") }
        lines.append(object("RELATIONSHIP", "\(id)r\(index)", values))
      }
      var values = mapping.values
      values["mappingtypename"] = .text("Undefined")
      if values["autogenerateexpression"] == nil { values["autogenerateexpression"] = .text("1") }
      lines.append(
        object(
          "ENTITY", id, values,
          [("attributemappings", "ATTRIBUTE", attributes), ("relationshipmappings", "RELATIONSHIP", relationships)]))
    }
    let root: [String: Value] = [
      "sourcemodelpath": .text("../App/Shop.xcdatamodeld/Shop.xcdatamodel"),
      "sourcemodeldata": .bytes(EditorModelFixture.data(source)),
      "destinationmodelpath": .text("../App/Shop.xcdatamodeld/Shop 2.xcdatamodel"),
      "destinationmodeldata": .bytes(EditorModelFixture.data(destination)),
    ]
    lines.append(object("", "root", root, [("entitymappings", "ENTITY", entityIDs)]))
    return (lines + ["</database>"]).joined(separator: "\n")
  }

  private func object(
    _ kind: String, _ id: String, _ values: [String: Value], _ links: [(name: String, kind: String, ids: [String])] = []
  ) -> String {
    let type = kind.isEmpty ? "XDDEVMAPPINGMODEL" : "XDDEV\(kind)MAPPING"
    var text = #"<object type="\#(type)" id="\#(id)">"#
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .text(let content): text += #"<attribute name="\#(name)" type="string">\#(content)</attribute>"#
      case .bytes(let data):
        text += #"<attribute name="\#(name)" type="binary">\#(Self.base64(data))</attribute>"#
      }
    }
    for link in links {
      let ids = link.ids.joined(separator: " ")
      text +=
        #"<relationship name="\#(link.name)" type="0/0" destination="XDDEV\#(link.kind)MAPPING" idrefs="\#(ids)"/>"#
    }
    return text + "</object>"
  }

  /// Base64 broken by tabs, so that every object is on one line.
  static func base64(_ data: Data) -> String {
    data.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
      .replacingOccurrences(of: "\n", with: "\t")
  }

  /// Reads the text, with an optional change.
  func read(_ change: (String) -> String = { $0 }) throws -> XcodeMappingModel {
    try XcodeMappingModel(Data(change(text).utf8), path: "xcmapping.xml")
  }
}
