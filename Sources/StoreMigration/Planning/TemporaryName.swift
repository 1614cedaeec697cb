/// The names of what a plan makes and takes away again; a model's own tables and columns begin with `Z`.
enum TemporaryName {
  /// A table of the source that makes room for one of the same name.
  static func source(_ table: String) -> String { "modelctl_old_\(table)" }

  /// A column between two names, where another column has the second one still.
  static func column(_ position: Int) -> String { "modelctl_\(position)" }

  /// A column that gets another type, until the statement that gives it its own name again has every program read the
  /// schema anew.
  static func retyped(_ position: Int) -> String { "modelctl_type_\(position)" }

  /// The links of a relationship that are stored in another way.
  static func links(_ relationship: String) -> String { "modelctl_links_\(relationship)" }

  /// The rows of an entity that are copies of others; `number` tells several such tables apart.
  static func duplicates(of entity: String, _ number: Int) -> String { "modelctl_duplicates_\(entity)_\(number)" }

  /// The links that the entity mappings make of a relationship; mapped plans count from 1.
  static func gatheredLinks(_ position: Int) -> String { links("\(position + 1)") }

  /// The source and destination keys of an entity mapping.
  static func association(_ position: Int) -> String { "modelctl_map_\(position + 1)" }

  /// The keys that the objects of an entity mapping are to have.
  static func keys(_ position: Int) -> String { "modelctl_keys_\(position + 1)" }

  /// The objects of an entity mapping that its policy has linked as the expressions say.
  static func defaults(_ position: Int) -> String { "modelctl_default_\(position + 1)" }
}
