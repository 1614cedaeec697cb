/// The similarity of two names, by their words.
struct NameLikeness {
  /// Words without information about a property.
  private static let emptyWords: Set<String> = [
    "is", "has", "was", "are", "can", "should", "needs", "did", "will", "to", "of", "the", "in", "at", "by", "for",
  ]
  /// Words that different properties of an entity often share; they count half.
  private static let commonWords: Set<String> = [
    "id", "identifier", "uuid", "name", "title", "text", "string", "data", "date", "time", "timestamp", "type", "kind",
    "state", "status", "value", "key", "url", "raw", "number", "num", "count", "size", "index", "version", "hash",
    "all",
    "last", "first", "flag", "code",
  ]

  /// The maximum number of words that are compared.
  private static let wordLimit = 16

  private struct Word {
    let letters: [Character]
    let weight: Double
  }

  private let words: [Word]
  private let joined: String

  private var weight: Double { words.reduce(0) { $0 + $1.weight } }

  /// Splits a name into words, such as `localMessageTimeout`, `success_streak` and `remoteID`.
  init(_ name: String) {
    var parts: [String] = []
    var part = ""
    let letters = Array(name)
    for (position, letter) in letters.enumerated() {
      let before = position > 0 ? letters[position - 1] : nil
      let after = position + 1 < letters.count ? letters[position + 1] : nil
      let begins =
        letter.isUppercase && (before?.isUppercase == false || after?.isLowercase == true && before != nil)
        || letter.isNumber != (before?.isNumber ?? letter.isNumber)
      if begins || !letter.isLetter && !letter.isNumber {
        parts.append(part)
        part = ""
      }
      if letter.isLetter || letter.isNumber { part += letter.lowercased() }
    }
    parts = (parts + [part]).filter { !$0.isEmpty }
    joined = parts.joined()
    let telling = parts.filter { !Self.emptyWords.contains($0) }
    words = (telling.isEmpty ? parts : telling).prefix(Self.wordLimit).map { word in
      Word(letters: Array(word), weight: Self.commonWords.contains(word) ? 0.5 : 1)
    }
  }

  /// The share of the words that both names have, by their weights: 1 for the same words, 0 for none.
  ///
  /// A name that has all words of the other gets a tenth more.
  func share(with other: NameLikeness) -> Double {
    if joined == other.joined { return 1 }
    var open = other.words
    var common = 0.0
    for word in words {
      guard let position = open.firstIndex(where: { Self.areOne(word.letters, $0.letters) }) else { continue }
      common += word.weight + open.remove(at: position).weight
    }
    let (own, others) = (weight, other.weight)
    guard own + others > 0 else { return 0 }
    let share = common / (own + others)
    // A name with a word added: `color`, `hexColor`.
    return common >= 2 * min(own, others) ? min(1, share + 0.1) : share
  }

  /// True for the same word, for a word and its short form (`id`, `identifier`) or plural, and for a misspelt word.
  private static func areOne(_ first: [Character], _ second: [Character]) -> Bool {
    if first == second { return true }
    let (short, long) = first.count < second.count ? (first, second) : (second, first)
    if short.count > 1, long.starts(with: short) { return true }
    guard short.count > 3, long.count - short.count < 2 else { return false }
    let same = zip(short, long).prefix { $0 == $1 }.count
    let rest = (short.dropFirst(same), long.dropFirst(same))
    return short.count == long.count
      ? rest.0.dropFirst().elementsEqual(rest.1.dropFirst()) : rest.0.elementsEqual(rest.1.dropFirst())
  }
}
