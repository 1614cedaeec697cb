import ModelDescription

/// What a change means: for the hash, for inference and for the rows.
struct Assessment {
  let changesHash: Bool
  let inferability: Inferability
  let effect: DataEffect

  /// A change that makes no new version.
  static func unversioned(_ effect: DataEffect = .none) -> Assessment {
    Assessment(changesHash: false, inferability: .noMigration, effect: effect)
  }

  static func inferable(_ effect: DataEffect) -> Assessment {
    Assessment(changesHash: true, inferability: .inferable, effect: effect)
  }

  static func dependsOnRows(_ condition: Inferability.Condition, _ effect: DataEffect) -> Assessment {
    Assessment(changesHash: true, inferability: .dependsOnRows(condition), effect: effect)
  }

  static func notInferable(_ refusal: Inferability.Refusal, _ effect: DataEffect) -> Assessment {
    Assessment(changesHash: true, inferability: .notInferable(refusal), effect: effect)
  }

  /// The same effect where something else already decides the hash.
  var withoutHash: Assessment {
    Assessment(changesHash: false, inferability: .noMigration, effect: effect)
  }
}
