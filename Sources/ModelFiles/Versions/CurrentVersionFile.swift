package import Foundation
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
  /// - Parameter data: the bytes.
  static func list(decoding data: Data, path: String) throws(PropertyListError) -> PropertyList {
    guard data.first(where: { !spaces.contains($0) }) == UInt8(ascii: "{") else {
      return try PropertyList(decoding: data, path: path)
    }
    return try OpenStepPropertyListReader.read(data, limit: nestingLimit)
  }

  private static let nestingLimit = 100
  private static let spaces = Set(" \t\r\n".utf8)

  /// The command that writes the file; the user inserts the name of the current version.
  static func writing(_ path: String) -> String {
    let text =
      #"<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>\#(key)</key>"#
      + #"<string>%s.xcdatamodel</string></dict></plist>\n"#
    return "printf \(ShellWord(text).text) VERSION > \(ShellWord(path: path).text)"
  }
}

extension ModelBundle {
  /// Another current version of a bundle, as a change of its `.xccurrentversion`.
  package struct CurrentVersionChange: Sendable {
    package let path: String
    /// The present bytes; nil if the file does not exist.
    package let oldData: Data?
    /// The new bytes, exactly as Xcode writes them.
    package let data: Data
  }

  /// Plans the change that makes a version current; no file is written.
  package func making(currentVersion version: String) throws(ModelFileError) -> CurrentVersionChange {
    guard form == .versioned else { throw .notAModel(path: path) }
    guard self.version(named: version) != nil else {
      throw .unknownVersion(
        name: version, folder: path, candidates: NearNames.nearest(to: version, among: versions.map(\.name)))
    }
    let file = BundlePath.joined(path, CurrentVersionFile.name)
    let oldData = FileManager.default.fileExists(atPath: file) ? try FileBytes.read(file) : nil
    return CurrentVersionChange(
      path: file, oldData: oldData, data: Data(CurrentVersionFile.text(version: version).utf8))
  }
}
