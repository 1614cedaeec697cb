import Foundation
package import ModelDescription

/// Writes text so that GitHub's and GitLab's Markdown take it as it is.
package enum MarkdownText {
  /// Running text without markup, links, and mentions of people or issues.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in oneLine(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      // A backslash would not do: names and numbers after these are looked for once the markup is gone.
      case "@", "#", "!": escaped += "\(scalar)<!-- -->"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "$", "{", "}": escaped += "\\\(scalar)"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    // Addresses would become links.
    return escaped.replacing("://", with: ":<!-- -->//").replacing("www.", with: "www<!-- -->.")
  }

  /// Advice, whose commands are pieces of code.
  package static func advice(_ advice: Advice) -> String {
    advice.parts.map { part in
      switch part {
      case .words(let text): escaped(text)
      case .command(let command): code(command.text)
      case .option(let name, let value): code(value.map { "\(name) \($0)" } ?? name)
      }
    }.joined()
  }

  /// A sentence of a report; a command between a colon and the next semicolon becomes code.
  package static func advice(_ text: String) -> String {
    oneLine(text).components(separatedBy: "; ").map { clause in
      let starts = ["modelctl ", "git ", "sqlite3 "].compactMap { clause.range(of: ": \($0)")?.lowerBound }
      guard let colon = starts.min() else { return escaped(clause) }
      return "\(escaped(String(clause[..<colon]))): \(code(String(clause[colon...].dropFirst(2))))"
    }.joined(separator: "; ")
  }

  package static func code(_ text: String) -> String {
    let text = oneLine(text)
    let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
    let needsSpace = text.hasPrefix("`") || text.hasSuffix("`") || text.allSatisfy { $0 == " " }
    return needsSpace ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  package static func block(_ line: String, language: String) -> String {
    let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: line) + 1))
    return "\(fence)\(language)\n\(oneLine(line))\n\(fence)"
  }

  private static func oneLine(_ text: String) -> String {
    PrintableText.escaped(String(text.map { $0.isNewline ? " " : $0 }))
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0
    var run = 0
    for other in text {
      run = other == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
