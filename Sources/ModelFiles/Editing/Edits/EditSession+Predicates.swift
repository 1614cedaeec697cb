extension EditSession {
  /// Warns about every predicate that has a name in it as a word, and may mean what was renamed or removed.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - isMeant: whether the name alone means it in an entity; behind a full stop it may anywhere.
  mutating func warnAboutPredicates(naming name: String, _ isMeant: (String) -> Bool) {
    warnAboutPredicates(naming: [name]) { _, entity in isMeant(entity) }
  }

  /// The same for several names at once.
  ///
  /// - Parameters:
  ///   - names: the names.
  ///   - isMeant: whether one of them alone means what was renamed or removed in an entity.
  mutating func warnAboutPredicates(naming names: Set<String>, _ isMeant: (String, String) -> Bool) {
    func check(_ text: String?, in entity: String, _ words: String) {
      guard let text else { return }
      for name in ElementName.words(in: text) where names.contains(name) {
        guard isMeant(name, entity) || text.contains(".\(name)") else { continue }
        warn("the predicate of \(words) may mean \(name) and is left as it is: \(text)")
      }
    }
    for request in source.root.children where request.name == "fetchRequest" && !isRemoved(request) {
      check(request["predicateString"], in: request["entity"] ?? "", "fetch request \(request["name"] ?? "")")
    }
    for owner in entityNodes where !isRemoved(owner) {
      let entity = owner["name"] ?? ""
      for child in owner.children {
        if child.name == "fetchIndex" {
          check(child["partialIndexPredicate"], in: entity, "\(entity) index \(child["name"] ?? "")")
          for part in child.children {
            guard let text = part["expression"] else { continue }
            for name in ElementName.words(in: text) where names.contains(name) && isMeant(name, entity) {
              warn(
                "an expression of \(entity) index \(child["name"] ?? "") may mean \(name) and is left as it is: \(text)"
              )
            }
          }
        }
        guard child.name == "fetchedProperty", !isRemoved(child) else { continue }
        for request in child.children where request.name == "fetchRequest" {
          check(request["predicateString"], in: request["entity"] ?? "", "\(entity).\(child["name"] ?? "")")
        }
      }
    }
  }
}
