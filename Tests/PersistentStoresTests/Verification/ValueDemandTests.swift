import PersistentStores
import Testing

@Suite("A value that its attribute cannot hold is found, and one that it can just hold is not")
struct ValueDemandTests {
  private static let unmarked = "the bytes do not begin with a marker of external storage"
  private static let nameless = "the bytes are marked as the name of a file of external data, but are not a valid name"

  private static func wide(_ type: String) -> String { "the number does not fit an attribute of type \(type)" }

  /// A column, its new value, the property and the findings.
  static let values: [(column: String, value: String, property: String, sentence: String)] = [
    ("ZSMALL", "70000", "small", wide("Integer 16")), ("ZSMALL", "32768", "small", wide("Integer 16")),
    ("ZSMALL", "-32769", "small", wide("Integer 16")), ("ZMEDIUM", "5000000000", "medium", wide("Integer 32")),
    ("ZMEDIUM", "-2147483649", "medium", wide("Integer 32")), ("ZFLOOR", "32768", "place.floor", wide("Integer 16")),
    ("ZTOKEN", "x'00'", "token", "the value does not have the 16 bytes of a UUID"),
    ("ZTOKEN", "x''", "token", "the value does not have the 16 bytes of a UUID"),
    ("ZTOKEN", "zeroblob(17)", "token", "the value does not have the 16 bytes of a UUID"),
    ("ZPHOTO", "x''", "photo", unmarked), ("ZPHOTO", "x'00'", "photo", unmarked),
    ("ZPHOTO", "x'03aa'", "photo", unmarked), ("ZDRAWING", "x'62706c697374'", "drawing", unmarked),
    ("ZPHOTO", "x'02'", "photo", nameless),
    ("ZPHOTO", "x'02\(String(repeating: "41", count: 36))'", "photo", nameless),
    ("ZSMALL", "'many'", "small", "the value is not stored as a whole number"),
    ("ZSMALL", "40000.5", "small", "the value is not stored as a whole number"),
    ("ZLARGE", "1e30", "large", "the value is not stored as a whole number"),
    ("ZISOPEN", "'yes'", "isOpen", "the value is not stored as a whole number"),
    ("ZRATE", "'high'", "rate", "the value is not stored as a number"),
    ("ZBALANCE", "x'00'", "balance", "the value is not stored as a number"),
    ("ZSINCE", "'today'", "since", "the value is not stored as a number"),
    ("ZHOME", "x'00'", "home", "the value is not stored as text"),
    ("ZTOKEN", "'0E5F4A64-6C1D-4B3E-8B64-6F0E9A3F2C11'", "token", "the value is not stored as bytes"),
    ("ZPHOTO", "'none'", "photo", "the value is not stored as bytes"),
  ]

  @Test("An invalid value of an attribute is found once, with its row", arguments: values)
  func found(column: String, value: String, property: String, sentence: String) throws {
    let store = try CellStore()
    try store.execute("UPDATE ZCELL SET \(column) = \(value) WHERE Z_PK = 2")
    #expect(try store.problems() == ["warning: Cell.\(property): \(sentence) (1 row, Z_PK 2) [storage-class]"])
  }

  @Test("The rows of an entity that declares the attribute again are judged by its own declaration")
  func declaredAgain() throws {
    let store = try CellStore()
    try store.execute("UPDATE ZCELL SET ZSMALL = 70000")
    let cells = "warning: Cell.small: \(Self.wide("Integer 16")) (2 rows, Z_PK 1, 2) [storage-class]"
    #expect(try store.problems() == [cells])
    try store.execute("UPDATE ZCELL SET ZSMALL = 5000000000 WHERE Z_PK = 3")
    let wideCells = "warning: Cell.small: \(Self.wide("Integer 32")) (1 row, Z_PK 3) [storage-class]"
    #expect(try store.problems() == [cells, wideCells])
  }

  /// Values of each type at its ends; bytes of the length of a file's name that name none are a value like any other.
  static let extremes = [
    """
    ZSMALL = -32768, ZMEDIUM = -2147483648, ZLARGE = -9223372036854775808, ZFLOOR = -32768, ZISOPEN = 0,
    ZRATE = -1.7976931348623157e308, ZRATIO = -3.4028234663852886e38, ZBALANCE = -1e127, ZSINCE = -63114076800,
    ZNAME = '', ZHOME = '', ZTOKEN = zeroblob(16), ZPLAIN = x'', ZPHOTO = x'01', ZSHAPE = x'', ZDRAWING = x'01'
    """,
    """
    ZSMALL = 32767, ZMEDIUM = 2147483647, ZLARGE = 9223372036854775807, ZFLOOR = 32767, ZISOPEN = 1,
    ZRATE = 9e999, ZRATIO = 3, ZBALANCE = 'NaN', ZSINCE = 252423993599.5, ZNAME = '\u{10FFFF}',
    ZHOME = 'https://a.example/', ZTOKEN = x'ffffffffffffffffffffffffffffffff', ZPLAIN = x'02', ZPHOTO = x'01ff',
    ZSHAPE = x'03', ZDRAWING = x'02\(String(repeating: "41", count: 36))00'
    """,
  ]

  @Test("Values at the ends of every type are passed in silence", arguments: extremes)
  func silent(assignments: String) throws {
    let store = try CellStore()
    try store.execute("UPDATE ZCELL SET \(assignments)")
    #expect(try store.problems() == [])
  }

  @Test("The values that a new store is filled with are passed in silence, those behind a mark among them")
  func filled() throws {
    #expect(try CellStore(filling: SyntheticRows(seed: 7, rowsPerEntity: 40)).problems() == [])
  }
}
