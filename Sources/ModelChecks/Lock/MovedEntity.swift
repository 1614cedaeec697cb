/// An entity that goes in one bundle of a project while another bundle has one of its name.
public struct MovedEntity: Hashable, Sendable {
  /// The entity.
  public let name: String
  /// The name of a bundle that has it now.
  public let bundle: String

  /// What to do, so that rows are not given up that only moved.
  var advice: String {
    """
    \(bundle) has \(name) too: where it moved there, name both bundles in “unions” of .modelctl.json, so that its rows \
    are followed; where it is another, see how its loss is recorded: modelctl check --explain data-loss
    """
  }
}
