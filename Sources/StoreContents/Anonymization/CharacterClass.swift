/// What a character is, so that another of its kind can take its place.
struct CharacterClass: Sendable {
  /// The characters that take its place.
  let alphabet: Alphabet
  /// Those that do where each of them would bring an original text back; ideographs do after them.
  let other: Alphabet?
  /// True for what stays where it may: punctuation, spaces and controls.
  let stays: Bool
  /// True for letters, of which some masks keep all.
  let isLetter: Bool
  /// True for a character of two UTF-16 units that two characters take the place of.
  let isDoubled: Bool

  private init(
    _ alphabet: Alphabet, _ other: Alphabet?, stays: Bool = false, isLetter: Bool = false, isDoubled: Bool = false
  ) {
    (self.alphabet, self.other, self.stays) = (alphabet, other, stays)
    (self.isLetter, self.isDoubled) = (isLetter, isDoubled)
  }

  private static let capital = CharacterClass(.capitals, .otherCapitals, isLetter: true)
  private static let letter = CharacterClass(.letters, .otherLetters, isLetter: true)
  private static let digit = CharacterClass(.digits, .otherDigits)
  private static let punctuation = CharacterClass(.punctuation, .shapes, stays: true)
  private static let pair = CharacterClass(.letters, .otherLetters, isDoubled: true)
  private static let face = CharacterClass(.faces, .farIdeographs)

  /// The classes of ASCII.
  private static let table = (UInt8(0)..<128).map { value in
    switch Unicode.Scalar(value) {
    case "A"..."Z": capital
    case "a"..."z": letter
    case "0"..."9": digit
    default: punctuation
    }
  }

  /// Finds the class of a character.
  static func of(_ scalar: Unicode.Scalar) -> CharacterClass {
    let value = scalar.value
    if value < 128 { return table[Int(value)] }
    let isFar = value > 0xFFFF
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .titlecaseLetter, .lowercaseLetter, .otherLetter, .modifierLetter:
      let isCapital = scalar.properties.isUppercase
      if let alphabet = Alphabet.ofScript(value, isCapital: isCapital) {
        return CharacterClass(alphabet, isFar ? .faces : nil, isLetter: true)
      }
      return isFar ? pair : isCapital ? capital : letter
    case .decimalNumber:
      guard !isFar, let number = scalar.properties.numericValue, (0...9).contains(number) else {
        return isFar ? pair : digit
      }
      let zero = value - UInt32(number)
      return CharacterClass(Alphabet(zero...(zero + 9)), .otherDigits)
    case .letterNumber, .otherNumber: return isFar ? face : CharacterClass(.circled, .shapes)
    case .nonspacingMark, .spacingMark, .enclosingMark: return isFar ? face : CharacterClass(.marks, nil)
    case .otherSymbol: return isFar ? face : CharacterClass(.shapes, nil)
    case .privateUse, .unassigned, .surrogate: return isFar ? pair : letter
    default: return isFar ? CharacterClass(.faces, .farIdeographs, stays: true) : punctuation
    }
  }
}
