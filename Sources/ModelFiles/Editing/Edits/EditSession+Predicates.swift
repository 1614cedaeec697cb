extension EditSession {
  /// Warns about every predicate that has a name in it as a word, and may mean what was renamed or removed.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - isMeant: whether the name alone means it in an entity; behind a full stop it may anywhere.
  mutating func warnAboutPredicates(naming name: String, _ isMeant: (String) -> Bool) {
    func check(_ text: String?, in entity: String, _ words: String) {
      guard let text, ElementName.isMentioned(name, in: text), isMeant(entity) || text.contains(".\(name)") else {
        return
      }
      warn("the predicate of \(words) may mean \(name) and is left as it is: \(text)")
    }
    for request in source.root.children where request.name == "fetchRequest" {
      check(request["predicateString"], in: request["entity"] ?? "", "fetch request \(request["name"] ?? "")")
    }
    for owner in entityNodes {
      let entity = owner["name"] ?? ""
      for child in owner.children {
        if child.name == "fetchIndex" {
          check(child["partialIndexPredicate"], in: entity, "\(entity) index \(child["name"] ?? "")")
          for part in child.children {
            guard let text = part["expression"], ElementName.isMentioned(name, in: text), isMeant(entity) else {
              continue
            }
            warn(
              "an expression of \(entity) index \(child["name"] ?? "") may mean \(name) and is left as it is: \(text)")
          }
        }
        for request in child.children where child.name == "fetchedProperty" && request.name == "fetchRequest" {
          check(request["predicateString"], in: request["entity"] ?? "", "\(entity).\(child["name"] ?? "")")
        }
      }
    }
  }
}
