/// The `.xccurrentversion` of a bundle, byte for byte as Xcode writes it.
enum CurrentVersionFile {
  static let name = ".xccurrentversion"

  /// The text that makes a version current.
  static func text(version: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    <dict>
    \t<key>_XCCurrentVersionName</key>
    \t<string>\(XMLText.content(version)).xcdatamodel</string>
    </dict>
    </plist>

    """
  }
}
