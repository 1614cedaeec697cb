/// What is done in place of a policy class that only an app has; without any SQL the class is treated as the default.
public struct PolicyStandIn: Hashable, Sendable {
  /// SQL in place of the policy's functions, by selector; `$1`, `$2` … stand for the arguments.
  public var functions: [String: String]
  /// SQL for destination attributes that the policy fills, by name; `$source.key` stands for a key path's value.
  public var attributes: [String: String]

  /// Makes a stand-in.
  public init(functions: [String: String] = [:], attributes: [String: String] = [:]) {
    self.functions = functions
    self.attributes = attributes
  }
}
