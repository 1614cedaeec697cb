/// A place in a text file.
public struct SourceLocation: Hashable, Sendable {
  /// The file's path as it was given.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The column in Unicode scalars, counted from 1.
  public var column: Int

  /// Makes a location.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension SourceLocation: Comparable {
  /// Orders by file, then line, then column.
  public static func < (first: SourceLocation, second: SourceLocation) -> Bool {
    (first.file, first.line, first.column) < (second.file, second.line, second.column)
  }
}

extension SourceLocation: CustomStringConvertible {
  /// The form that terminals and editors recognise: `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}
