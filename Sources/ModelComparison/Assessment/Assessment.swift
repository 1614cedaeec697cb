import ModelDescription

/// What a change means: for the hash, for inference and for the rows.
struct Assessment {
  let changesHash: Bool
  let inferability: Inferability
  let dataEffect: String

  /// A change that makes no new version.
  static func unversioned(_ effect: String = "no effect on the data") -> Assessment {
    Assessment(changesHash: false, inferability: .noMigration, dataEffect: effect)
  }

  static func inferable(_ effect: String) -> Assessment {
    Assessment(changesHash: true, inferability: .inferable, dataEffect: effect)
  }

  static func dependsOnRows(_ condition: String, _ effect: String) -> Assessment {
    Assessment(changesHash: true, inferability: .dependsOnRows(condition: condition), dataEffect: effect)
  }

  static func notInferable(_ reason: String, _ effect: String) -> Assessment {
    Assessment(changesHash: true, inferability: .notInferable(reason: reason), dataEffect: effect)
  }

  /// The same effect where something else already decides the hash.
  var withoutHash: Assessment {
    Assessment(changesHash: false, inferability: .noMigration, dataEffect: dataEffect)
  }
}
