public import ModelDescription

/// A schema of a CloudKit container: the record types that its records can have.
///
/// CloudKit keeps it as a text, which `cktool export-schema` writes. Source: Apple, “Integrating a Text-Based Schema into
/// Your Workflow”.
public struct CloudKitSchema: Hashable, Sendable {
  /// The names of the roles.
  public var roles: [String]
  /// The record types.
  public var recordTypes: [RecordType]
  /// The position after the header in the text; nil if the schema was not read from a text.
  var start: Position?
  /// True if the text ends with an empty line, as CloudKit writes it; programs that save it often leave it out.
  public var endsWithEmptyLine = true

  /// Creates a schema.
  public init(roles: [String] = [], recordTypes: [RecordType] = []) {
    (self.roles, self.recordTypes) = (roles, recordTypes)
  }

  /// A record type.
  public struct RecordType: Hashable, Sendable {
    /// The name without quotation marks.
    public var name: String
    /// The fields.
    public var fields: [Field]
    /// The permissions.
    public var grants: [Grant]
    /// The position of the name in the text; nil if the type was not read from a text.
    public var position: Position?
    /// The position after its opening bracket; nil if the type was not read from a text.
    var start: Position?
    /// The position after its closing bracket; nil if the type was not read from a text.
    public var end: Position?

    /// Creates a record type.
    public init(_ name: String, fields: [Field] = [], grants: [Grant] = [], position: Position? = nil) {
      (self.name, self.fields, self.grants, self.position) = (name, fields, grants, position)
    }
  }

  /// A field of a record type.
  public struct Field: Hashable, Sendable {
    /// The name without quotation marks.
    public var name: String
    /// The data type.
    public var type: DataType
    /// The index words, in their order.
    public var indexes: [Index]
    /// The position of the name in the text; nil if the field was not read from a text.
    public var position: Position?

    /// Creates a field.
    ///
    /// - Parameter indexes: the index words; nil for those that CloudKit gives to the data type.
    public init(_ name: String, _ type: DataType, indexes: [Index]? = nil, position: Position? = nil) {
      (self.name, self.type, self.indexes, self.position) = (name, type, indexes ?? type.usualIndexes, position)
    }
  }

  /// The data type of a field.
  public struct DataType: Hashable, Sendable {
    /// The kind of the values.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case asset = "ASSET"
      case bytes = "BYTES"
      case double = "DOUBLE"
      case int64 = "INT64"
      case location = "LOCATION"
      case number = "NUMBER"
      case reference = "REFERENCE"
      case string = "STRING"
      case timestamp = "TIMESTAMP"
    }

    /// The kind of the value, or of each element of a list.
    public var kind: Kind
    /// True if CloudKit encrypts the values.
    public var isEncrypted: Bool
    /// True for a list of values.
    public var isList: Bool
    /// The kind after `PREFERRED AS`, which only a number has.
    public var preferred: Kind?

    /// Creates a data type.
    public init(_ kind: Kind, isEncrypted: Bool = false, isList: Bool = false, preferred: Kind? = nil) {
      (self.kind, self.isEncrypted, self.isList, self.preferred) = (kind, isEncrypted, isList, preferred)
    }

    /// The kind that the values have; a number is equal to each kind of number.
    private var numbers: Set<Kind> {
      switch kind {
      case .number: preferred.map { [$0] } ?? [.int64, .double]
      default: [kind]
      }
    }

    /// True if values of the other type can be saved in a field of this type.
    public func accepts(_ other: DataType) -> Bool {
      isList == other.isList && isEncrypted == other.isEncrypted && !numbers.isDisjoint(with: other.numbers)
    }

    /// The index words that CloudKit gives to fields of the type.
    ///
    /// Source: 383 measured fields.
    public var usualIndexes: [Index] {
      if isEncrypted || isList { return [] }
      return switch kind {
      case .string: [.queryable, .searchable, .sortable]
      case .int64, .double, .timestamp, .bytes, .number: [.queryable, .sortable]
      case .asset, .reference, .location: []
      }
    }
  }

  /// An index of a field.
  public enum Index: String, Hashable, Sendable, CaseIterable {
    case queryable = "QUERYABLE"
    case searchable = "SEARCHABLE"
    case sortable = "SORTABLE"
  }

  /// A permission for the records of a type.
  public struct Grant: Hashable, Sendable {
    /// An action that a permission allows.
    public enum Right: String, Hashable, Sendable, CaseIterable {
      case read = "READ"
      case create = "CREATE"
      case write = "WRITE"
    }

    /// The rights, in their order.
    public var rights: [Right]
    /// The name of the role without quotation marks.
    public var role: String

    /// Creates a permission.
    public init(_ rights: [Right], to role: String) { (self.rights, self.role) = (rights, role) }
  }

  /// A position in the text of a schema.
  public struct Position: Hashable, Sendable, Comparable {
    /// The line, counted from 1.
    public var line: Int
    /// The column in Unicode scalars, counted from 1.
    public var column: Int

    /// Creates a position.
    public init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    /// Orders by line, then column.
    public static func < (first: Position, second: Position) -> Bool {
      (first.line, first.column) < (second.line, second.column)
    }
  }

  /// The record type with a name.
  public func recordType(_ name: String) -> RecordType? { recordTypes.first { $0.name == name } }
}

extension CloudKitSchema.RecordType {
  /// The field with a name.
  public func field(_ name: String) -> CloudKitSchema.Field? { fields.first { $0.name == name } }
}

extension CloudKitSchema.DataType: CustomStringConvertible {
  /// The type as a schema writes it, such as `ENCRYPTED STRING` or `LIST<INT64>`.
  public var description: String {
    let value =
      (isEncrypted ? "ENCRYPTED " : "") + kind.rawValue + (preferred.map { " PREFERRED AS \($0.rawValue)" } ?? "")
    return isList ? "LIST<\(value)>" : value
  }
}

// MARK: Text

extension CloudKitSchema: CustomStringConvertible {
  /// The text as CloudKit writes it: types and fields in the order of the bytes of their names.
  public var description: String {
    let roles = roles.map { "    CREATE ROLE \(Self.written($0));\n" }.joined()
    let types = recordTypes.sorted { Self.isBefore($0.name, $1.name) }.map { "\($0)\n" }.joined()
    let text = "DEFINE SCHEMA\n\n\(roles)\(roles.isEmpty ? "" : "\n")\(types)"
    return endsWithEmptyLine || types.isEmpty ? text : String(text.dropLast())
  }

  /// Names are in the order of their bytes.
  static func isBefore(_ name: String, _ other: String) -> Bool { name.utf8.lexicographicallyPrecedes(other.utf8) }

  /// A name with quotation marks if it needs them.
  static func written(_ name: String) -> String { isPlain(name) ? name : "\"\(name)\"" }

  /// True for a letter, then letters, digits and low lines, but not for a word of the language.
  static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), name.utf8.allSatisfy(isNameByte) else { return false }
    return name.utf8.count > longestQuoted || !quoted.contains(name.lowercased())
  }

  /// Words that were seen in quotation marks, and those that Apple lists.
  private static let quoted: Set = ["grant", "preferred", "queryable", "sortable", "searchable", "from", "to"]
  private static let longestQuoted = quoted.map(\.utf8.count).max() ?? 0

  /// True for a byte that a name can have without quotation marks.
  package static func isNameByte(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) || byte == 0x5F }

  static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension CloudKitSchema.RecordType: CustomStringConvertible {
  /// The type as CloudKit writes it, with a line break at the end.
  public var description: String {
    let width = fields.map { CloudKitSchema.written($0.name).unicodeScalars.count }.max() ?? 0
    let sorted = fields.sorted { CloudKitSchema.isBefore($0.name, $1.name) }
    let entries = sorted.map { $0.line(width: width) } + grants.map(\.description)
    return "    RECORD TYPE \(CloudKitSchema.written(name)) (\n"
      + entries.map { "        \($0)" }.joined(separator: ",\n") + "\n    );\n"
  }
}

extension CloudKitSchema.Field {
  /// The field as a line of its type, without the comma.
  ///
  /// - Parameter width: the length of the longest name of the type, with quotation marks.
  func line(width: Int) -> String {
    var line = CloudKitSchema.written(name)
    line += String(repeating: " ", count: max(0, width - line.unicodeScalars.count) + 1)
    line += type.description
    for index in indexes { line += " \(index.rawValue)" }
    return line
  }
}

extension CloudKitSchema.Grant: CustomStringConvertible {
  /// The permission as a schema writes it.
  public var description: String {
    "GRANT \(rights.map(\.rawValue).joined(separator: ", ")) TO \(CloudKitSchema.written(role))"
  }
}

// MARK: Faults

/// A fault in the text of a schema.
public struct CloudKitSchemaError: Hashable, Sendable {
  /// The kind of fault.
  public enum Fault: Hashable, Sendable {
    /// Nothing, or only white space and comments.
    case empty
    /// The file has more bytes than modelctl reads.
    case tooLarge(bytes: Int, limit: Int)
    /// The bytes are not UTF-8.
    case notUTF8
    /// A Markdown file without a fence that begins with `DEFINE SCHEMA`.
    case noFence
    /// A second fence in a Markdown file.
    case secondFence
    /// A comment or a quotation mark that does not end.
    case unclosed(String)
    /// Lines of an unfinished merge.
    case conflict
    /// Something else than the language allows here.
    case unexpected(String, expected: String)
    /// A second record type or field with a name.
    case duplicate(String, first: CloudKitSchema.Position)
    /// More faults, which are not listed.
    case more(Int)
  }

  /// The fault.
  public let fault: Fault
  /// The path of the file.
  public let path: String
  /// The position in the file; nil if the fault is about the file.
  public let position: CloudKitSchema.Position?
}

extension CloudKitSchemaError: AdvisedError {
  /// The path, with the line and the column of a fault in the text.
  public var place: String? { position.map { "\(path):\($0.line):\($0.column)" } ?? path }

  /// The fault as a sentence.
  public var cause: String {
    switch fault {
    case .empty: "the file has no schema"
    case .tooLarge(let bytes, let limit): "the schema has \(bytes) bytes; modelctl reads up to \(limit)"
    case .notUTF8: "the text is not UTF-8"
    case .noFence: "no code block begins with DEFINE SCHEMA"
    case .secondFence: "a second code block begins with DEFINE SCHEMA"
    case .unclosed(let what): "\(what) does not end"
    case .conflict: "the file has merge conflict markers"
    case .unexpected(let found, let expected): "expected \(expected), found \(found)"
    case .duplicate(let name, let first): "\(name) is declared twice, first in line \(first.line)"
    case .more(let count): "\(count) more faults"
    }
  }

  /// The remedy.
  public var advice: Advice? {
    switch fault {
    case .secondFence: "keep one of the two"
    case .conflict: "resolve the conflict, or export the schema again"
    case .duplicate, .more: nil
    default: "export the schema again, on a Mac: \(run: "xcrun", "cktool", "export-schema", "--help")"
    }
  }
}
