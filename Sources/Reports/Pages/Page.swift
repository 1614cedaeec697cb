/// A page of one file for browsers: everything is in it, and it asks the network for nothing.
///
/// It is written so that a reader of XML takes it too. It reads without its script, which only searches and shows.
struct Page {
  /// The heading, and the title of the window.
  var title: String
  /// What stands below the heading.
  var summary: [String]
  /// The markup of everything else.
  var content: String
  /// True where the parts can be searched.
  var isSearchable = false

  var text: String {
    let heading = MarkupText.escaped(title)
    let lead = summary.map { "<p>\(MarkupText.escaped($0))</p>" }.joined(separator: "\n")
    let script = isSearchable ? "<script>\n\(PageScript.text)</script>\n" : ""
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)"/>
      <meta name="color-scheme" content="light dark"/>
      <title>\(heading)</title>
      <style>
      \(PageStyle.text)</style>
      </head>
      <body>
      <a class="skip" href="#text">Skip to the text</a>
      <header>
      <h1>\(heading)</h1>
      \(lead)
      </header>
      <main>
      \(content)
      </main>
      \(script)</body>
      </html>

      """
  }

  /// Nothing is loaded, and only what stands in the page runs.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
}
