/// Names that would end the place they stand in, in one format or another.
enum HostileNames {
  static let all = [
    #"a"]"#, "<script>alert(1)</script>", "x\ny", String(repeating: "L", count: 3_000), #"back\slash\"#, "it's",
    "*/ -->", "{}", "#35;", "style x:#a;", "$*", "end", "%%{init: {}}%%", "\u{202E}evil", "😀 ñ", "]]>", "\"", "a;b",
    "::error::x", "__proto__", "&lt;b&gt;", "~T~", "(x)", "<<abstract>>", #"\N"#, #"Ref: "a"."b""#, "''' note",
    "|pipe|", "`tick`", "javascript:alert(1)", "</svg>", "%s", "<HR/>",
  ]

  /// A model in which each of them names an entity, an attribute, a class, a default value and a relationship.
  static let contents: String = {
    let names = all.map(attribute)
    let entities = names.enumerated().map { position, name in
      let next = names[(position + 1) % names.count]
      let former = names[(position + names.count - 1) % names.count]
      return """
        <entity name="\(name)" representedClassName="\(name)">
          <attribute name="p\(name)" optional="YES" attributeType="String" defaultValueString="\(name)">
            <userInfo><entry key="\(name)" value="\(name)"/></userInfo>
          </attribute>
          <relationship name="r\(name)" optional="YES" maxCount="1" destinationEntity="\(next)" inverseName="back"
            inverseEntity="\(next)"/>
          <relationship name="back" optional="YES" toMany="YES" destinationEntity="\(former)" inverseName="r\(former)"/>
        </entity>
        """
    }
    return "<model>\n\(entities.joined(separator: "\n"))\n</model>\n"
  }()

  private static func attribute(_ name: String) -> String {
    name.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
      .replacing("\n", with: "&#10;")
  }
}
