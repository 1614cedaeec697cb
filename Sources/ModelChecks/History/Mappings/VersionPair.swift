/// The names of two versions that a step leads between.
struct VersionPair: Hashable, Sendable {
  let source: String
  let destination: String
}
