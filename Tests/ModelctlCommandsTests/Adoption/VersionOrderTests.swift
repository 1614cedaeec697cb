import Foundation
import TestSupport
import Testing

/// A bundle whose versions changed their stem from `ShopData` to `Shop v`, in a git repository.
@Suite("The order of versions comes from the lock file, from git, or from names of one stem")
struct VersionOrderTests {
  private static let names = ["ShopData 1", "ShopData 2", "Shop v1.4"]
  private let workspace: SampleFolder

  init() throws {
    workspace = try SampleFolder()
    try FileManager.default.copyItem(
      at: Transcript.firstChecks.appendingPathComponent("names-of-two-stems"),
      to: workspace.url.appendingPathComponent("project"))
    try shell("rm -f expected.txt && git init --quiet --initial-branch=main .")
  }

  @discardableResult
  private func shell(_ line: String) throws -> Modelctl.Result {
    try Modelctl.shell(
      "cd project && \(line)",
      environment: ["GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"], in: workspace)
  }

  /// Commits each version by itself, in this order.
  private func commit(_ names: [String]) throws {
    for name in names {
      let git = "git -c user.name=A -c user.email=a@example.com"
      let result = try shell(
        "git add 'Shop.xcdatamodeld/\(name).xcdatamodel' && \(git) commit --quiet --message '\(name)'")
      #expect(result.status == 0, "\(result.standardError)")
    }
  }

  private func lockText() throws -> String {
    let file = workspace.url.appendingPathComponent("project/Shop.lock.json")
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  @Test("log names the first commit of each version, also of a model without a bundle")
  func logged() throws {
    try commit(Self.names)
    try shell("cp -R 'Shop.xcdatamodeld/ShopData 1.xcdatamodel' Single.xcdatamodel && rm -rf Single.xcdatamodel/.git")
    try shell("git add Single.xcdatamodel && git -c user.name=A -c user.email=a@example.com commit -qm single")
    try shell("echo >> Single.xcdatamodel/contents")
    try shell("git -c user.name=A -c user.email=a@example.com commit -qam later")
    let hashes = try shell("git log --format=%h --reverse").standardOutput.split(separator: "\n").map(String.init)
    #expect(hashes.count == 5)
    let log = try shell("modelctl log --plain").standardOutput
    #expect(!log.contains("not committed") && hashes.dropLast().allSatisfy(log.contains), "\(hashes): \(log)")
    #expect(!log.contains(hashes[4]), "\(log)")
  }

  @Test("lock --all records git's first commit of each version, with the losses on the path")
  func gitOrders() throws {
    try commit(Self.names)
    let result = try shell("modelctl lock --all")
    #expect(result.standardOutput.contains("Shop v1.4 recorded as released; a migration to it may lose Order.note\n"))
    #expect(try lockText().contains(#""after": "ShopData 2""#))
    #expect(try shell("modelctl check").status == 0)
  }

  @Test("A version that is not committed yet is the newest")
  func uncommittedIsNewest() throws {
    try commit(Array(Self.names.dropLast()))
    try shell("modelctl lock 'ShopData 1' 'ShopData 2'")
    let result = try shell("modelctl check")
    let loss = "the attribute Order.note and all its values are deleted"
    #expect(result.standardOutput.contains("ShopData 2 → Shop v1.4: \(loss)"))
    #expect(result.status == 1)
  }

  @Test(
    "Two bundles of one name in two folders have each their own commits and order", arguments: [".", "B", "../link"])
  func sameNames(_ folder: String) throws {
    try shell("mkdir A B && cp -R Shop.xcdatamodeld B && mv Shop.xcdatamodeld A && ln -s project ../link")
    let orders = ["A": Self.names, "B": ["Shop v1.4", "ShopData 1", "ShopData 2"]]
    for (bundle, names) in orders.sorted(by: { $0.key < $1.key }) {
      for name in names {
        let result = try shell(
          """
          git add '\(bundle)/Shop.xcdatamodeld/\(name).xcdatamodel'
          git -c user.name=A -c user.email=a@example.com commit --quiet --message '\(bundle) \(name)'
          """)
        #expect(result.status == 0, "\(result.standardError)")
      }
    }
    for (bundle, names) in orders {
      let path = ["A": "../A/Shop.xcdatamodeld", "B": "Shop.xcdatamodeld"][bundle] ?? ""
      let model = folder == "B" ? path : "\(bundle)/Shop.xcdatamodeld"
      let text = try shell("cd \(folder) && modelctl log --model \(model)").standardOutput
      let all = try shell("cd \(folder) && modelctl log").standardOutput
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("  Shop") }
      #expect(lines.count == 3 && all.contains(text), "\(all)")
      for (line, name) in zip(lines, names.reversed()) {
        let commit = try shell("git log --format=%h --grep '^\(bundle) \(name)$'").standardOutput
          .trimmingCharacters(in: .newlines)
        #expect(line.hasPrefix("  \(name)") && line.contains(" \(commit):"), "\(line), \(commit)")
      }
    }
  }

  @Test("The versions of a bundle in a submodule are ordered by the submodule's history")
  func submodule() throws {
    try commit(Self.names)
    let set = "-c protocol.file.allow=always -c user.name=A -c user.email=a@example.com"
    let outer = try Modelctl.shell(
      """
      git init --quiet --initial-branch=main outer && cd outer && cp -R ../project/Shop.xcdatamodeld Own.xcdatamodeld
      git add . && git \(set) commit --quiet --message own && git \(set) submodule --quiet add ../project sub
      modelctl log
      """, in: workspace)
    #expect(outer.status == 0 && !outer.standardOutput.contains("not committed"), "\(outer)")
    let place = outer.standardOutput.split(separator: "sub/Shop.xcdatamodeld").last ?? ""
    let lines = place.split(separator: "\n").filter { $0.hasPrefix("  Shop") }
    #expect(zip(lines, Self.names.reversed()).allSatisfy { $0.hasPrefix("  \($1)") }, "\(place)")
  }

  @Test("Without git nothing rests on names of two stems")
  func namesAlone() throws {
    try shell("rm -rf .git && modelctl lock 'ShopData 1' 'ShopData 2'")
    let result = try shell("modelctl check")
    #expect(result.standardOutput == "")
    #expect(result.status == 0)
    #expect(!(try lockText().contains("after")))
  }

  @Test("A lock file orders versions against git's dates")
  func lockWins() throws {
    try commit(["Shop v1.4", "ShopData 1", "ShopData 2"])
    try shell("modelctl lock --all")
    #expect(try lockText().contains(#""after": "Shop v1.4""#))
    try workspace.edit("project/Shop.lock.json", "      \"after\": \"Shop v1.4\",\n", "")
    try workspace.edit(
      "project/Shop.lock.json", "\"Shop v1.4\": {\n      \"state\": \"released\",",
      "\"Shop v1.4\": {\n      \"state\": \"released\",\n      \"after\": \"ShopData 2\",")
    let matrix = try shell("modelctl matrix").standardOutput
    #expect(matrix.contains("from ShopData 2\n  lightweight: Shop v1.4"))
  }

  @Test("A shallow clone is reported as incomplete, and names are used instead")
  func shallowClone() throws {
    try commit(Self.names)
    try shell("git add --all && git -c user.name=A -c user.email=a@example.com commit --quiet --message rest")
    try shell("git clone --quiet --depth=1 \"file://$PWD\" clone")
    let result = try shell("cd clone && modelctl check")
    #expect(result.standardError.contains("this clone lacks the history that shows when the versions of"))
    #expect(result.standardError.contains("git fetch --unshallow"))
    #expect(result.status == 0)
  }

  @Test(
    "A wrong predecessor is one error with its place",
    arguments: [
      ("ShopData 9", "“ShopData 9” is not a version of this file"), ("Shop v1.4", "follow each other in a cycle"),
    ])
  func wrongPredecessor(_ name: String, _ words: String) throws {
    try commit(Self.names)
    try shell("modelctl lock --all")
    try workspace.edit("project/Shop.lock.json", #""after": "ShopData 2""#, "\"after\": \"\(name)\"")
    let result = try shell("modelctl check")
    #expect(result.standardError.contains("Shop.lock.json:7:16: "))
    #expect(result.standardError.contains(words))
    #expect(result.status == 2)
  }
}
