import ModelChecks
import ModelFiles
import TestSupport
import Testing

@Suite("The sample models keep the rules")
struct SampleModelRulesTests {
  @Test("no rule finds anything in any version", arguments: ["Company", "Family", "Orders", "Staff", "Todo"])
  func findings(bundle: String) throws {
    for version in try ModelBundle(at: SampleModels.path(bundle)).versions {
      #expect(Rule.check(try version.load()) == [])
    }
  }
}
