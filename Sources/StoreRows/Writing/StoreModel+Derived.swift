import MigrationSQL
import ModelDescription
import PersistentStores

extension StoreModel {
  /// The value of a derived attribute as SQL; nil for any other attribute, and for a form whose SQL is not known.
  ///
  /// - Parameters:
  ///   - attribute: the attribute.
  ///   - entity: the entity that declares it.
  /// - Returns: the value.
  func derivedValue(of attribute: AttributeDescription, declaredBy entity: String) -> DerivedValue? {
    guard let derivation = attribute.derivation, let table = table(ofEntity: entity) else { return nil }
    return DerivedValue(derivation, of: entity, table: table.name, in: self)
  }

  /// True for a derived attribute whose value no row gives again: a moment, and a form whose SQL is not known.
  ///
  /// - Parameters:
  ///   - attribute: the attribute.
  ///   - entity: the entity that declares it.
  /// - Returns: whether its value is lost where it is not kept.
  func isDerivedOnce(_ attribute: AttributeDescription, declaredBy entity: String) -> Bool {
    guard let derivation = attribute.derivation else { return false }
    return derivation.isMoment || derivedValue(of: attribute, declaredBy: entity) == nil
  }
}

extension Derivation {
  /// True for the moment of a save.
  var isMoment: Bool { expression == "now()" }
}
