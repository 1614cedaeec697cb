import Foundation
import ModelDescription

/// The `.xccurrentversion` of a bundle.
enum CurrentVersionFile {
  static let name = ".xccurrentversion"
  /// The key of the current version's file name.
  static let key = "_XCCurrentVersionName"

  /// The text that makes a version current, byte for byte as Xcode writes it.
  static func text(version: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>\(key)</key>
    \t<string>\(XMLText.content(version)).xcdatamodel</string>
    </dict>
    </plist>

    """
  }

  /// Decodes the file: a property list in the binary form, in XML, or in the form of OpenStep.
  ///
  /// - Parameters:
  ///   - data: the bytes.
  ///   - path: the path that errors in XML name.
  /// - Returns: the property list.
  /// - Throws: `PropertyListError`.
  static func list(decoding data: Data, path: String) throws(PropertyListError) -> PropertyList {
    guard data.first(where: { !spaces.contains($0) }) == UInt8(ascii: "{") else {
      return try PropertyList(decoding: data, path: path)
    }
    return try OpenStepPropertyListReader.read(data, limit: nestingLimit)
  }

  private static let nestingLimit = 100
  private static let spaces = Set(" \t\r\n".utf8)

  /// The command that writes the file, which somebody gives the name of the current version.
  static func writing(_ path: String) -> String {
    let text =
      #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>\#(key)</key>"#
      + #"<string>%s.xcdatamodel</string></dict></plist>\n"#
    return "printf \(ShellWord(text).text) VERSION > \(ShellWord(path: path).text)"
  }
}
