/// A part of a plan: statements, and what must hold once they have run.
public struct PlanPhase: Hashable, Sendable {
  /// The statements in order.
  public var steps: [PlanStep]
  /// The questions that must find no row after the steps, before the next phase begins.
  public var validations: [PlanCheck]

  /// Makes a phase.
  public init(steps: [PlanStep], validations: [PlanCheck] = []) {
    self.steps = steps
    self.validations = validations
  }
}
