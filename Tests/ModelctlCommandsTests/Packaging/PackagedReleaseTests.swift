import Foundation
import TestSupport
import Testing

#if os(Linux)
  /// `scripts/release` with a small program that starts the modelctl that was built for the tests.
  @Suite("The files of a release")
  struct PackagedReleaseTests {
    private static let project = Transcript.project.path

    /// The tools that packing needs; a machine without them packs no release.
    private static let hasTools =
      (try? SampleFolder(emptyNamed: "tools")).flatMap {
        try? Modelctl.shell(
          """
          command -v cc || command -v clang || exit 1
          for tool in dpkg-deb dpkg-shlibdeps strip readelf zip unzip jq; do command -v $tool || exit 1; done
          test -f '\(project)/Package.resolved'
          """, in: $0)
      }?.status == 0

    private func program(in workspace: SampleFolder) throws -> String {
      let modelctl = try #require(Modelctl.folder).appendingPathComponent("modelctl").path
      try workspace.write(
        """
        #include <unistd.h>
        int main(int count, char **words) { words[0] = "\(modelctl)"; execv(words[0], words); return 127; }
        """, to: "program.c")
      try workspace.shell("$(command -v cc || command -v clang) -o program program.c")
      return workspace.url.appendingPathComponent("program").path
    }

    @Test(
      "All files are packed, checked and tried; the formula has the address of the repository", .enabled(if: hasTools))
    func packs() throws {
      let workspace = try SampleFolder(emptyNamed: "files")
      let program = try program(in: workspace)
      let environment = ["MODELCTL_REPOSITORY": "https://github.com/me/tools.git"]
      let script = "'\(Self.project)/scripts/release' --program '\(program)'"
      let checked = try Modelctl.shell("\(script) --check", environment: environment, in: workspace)
      #expect(checked.status == 0, "\(checked)")
      #expect(checked.standardOutput.hasSuffix("was built, packed and tried\n"))

      let folder = workspace.url.appendingPathComponent("files").path
      let packed = try Modelctl.shell("\(script) --output '\(folder)'", environment: environment, in: workspace)
      #expect(packed.status == 0, "\(packed)")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      let endings = [".artifactbundle.zip", ".deb", ".sha256", ".spdx.json", ".tar.gz"]
      #expect(names.dropLast().elementsEqual(endings) { $0.hasPrefix("modelctl-") && $0.hasSuffix($1) }, "\(names)")
      let formula = try String(contentsOfFile: "\(folder)/modelctl.rb", encoding: .utf8)
      #expect(names.last == "modelctl.rb" && formula.contains("url \"https://github.com/me/tools.git\", tag: \"v"))
      #expect(!formula.contains("@"))
      let list = try workspace.shell("jq -r '.packages[].name' files/*.spdx.json")
      #expect(list.split(separator: "\n").contains("grdb.swift"), "\(list)")

      // A checksum in the list of SPDX, and the archive itself, are the same when they are packed again.
      let sums = try workspace.shell("cd files && sha256sum *")
      _ = try Modelctl.shell("\(script) --output '\(folder)'", environment: environment, in: workspace)
      #expect(try workspace.shell("cd files && sha256sum *") == sums)
    }

    @Test(
      "The address of the repository is decided in one place",
      arguments: [
        ("https://github.com/me/tools.git", "https://github.com/me/tools"),
        ("git@github.com:me/tools.git", "https://github.com/me/tools"),
        ("ssh://git@git.example.com/me/tools", "https://git.example.com/me/tools"),
        ("/srv/tools", nil), ("https://example.com/$(touch x)/y", nil),
      ] as [(String, String?)])
    func address(origin: String, expected: String?) throws {
      let workspace = try SampleFolder(emptyNamed: "scripts")
      try workspace.shell(
        "cp '\(Self.project)/scripts/repository' scripts/ && git init -q && git remote add origin '\(origin)'")
      let result = try Modelctl.shell("scripts/repository", environment: ["MODELCTL_REPOSITORY": ""], in: workspace)
      #expect(result.status == (expected == nil ? 2 : 0), "\(result)")
      #expect(result.standardOutput == (expected.map { $0 + "\n" } ?? ""))
      if expected == nil { #expect(result.standardError.contains("set MODELCTL_REPOSITORY to the address")) }
    }

    @Test("A copy that GitHub downloaded as an action has the address of the action")
    func action() throws {
      let workspace = try SampleFolder(emptyNamed: "_actions/me/tools/v1/scripts")
      try workspace.shell("cp '\(Self.project)/scripts/repository' _actions/me/tools/v1/scripts/")
      let result = try Modelctl.shell(
        "_actions/me/tools/v1/scripts/repository",
        environment: ["MODELCTL_REPOSITORY": "", "GITHUB_SERVER_URL": "https://github.com"], in: workspace)
      #expect(result.standardOutput == "https://github.com/me/tools\n", "\(result)")
    }
  }

  @Suite("The program of a release, in continuous integration")
  struct ReleasedProgramTests {
    private let workspace: SampleFolder
    private let checksum: String
    private let name: String

    init() throws {
      workspace = try SampleFolder(emptyNamed: "releases/v1.2.3")
      let architecture = try workspace.shell("uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/'")
      name = "modelctl-1.2.3-linux-\(architecture.trimmingCharacters(in: .whitespacesAndNewlines))"
      try workspace.write("#!/bin/sh\necho 1.2.3\n", to: "\(name)/bin/modelctl")
      checksum = try workspace.shell(
        """
        chmod +x \(name)/bin/modelctl && tar -czf releases/v1.2.3/\(name).tar.gz \(name) &&
          sha256sum releases/v1.2.3/\(name).tar.gz | cut -d ' ' -f 1
        """
      ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func install(_ environment: [String: String]) throws -> Modelctl.Result {
      var all = [
        "MODELCTL_RELEASES": "file://\(workspace.url.path)/releases", "MODELCTL_FOLDER": "\(workspace.url.path)/made",
        "MODELCTL_VERSION": "1.2.3", "MODELCTL_CHECKSUM": checksum, "PATH": "/usr/bin:/bin",
      ]
      all.merge(environment) { $1 }
      return try Modelctl.shell(
        "'\(Transcript.project.path)/scripts/ci/install'", environment: all, in: workspace)
    }

    @Test("It is downloaded once, also if PATH has a modelctl")
    func downloads() throws {
      let folder = "\(workspace.url.path)/made"
      let expected = Modelctl.Result(status: 0, standardOutput: folder + "\n", standardError: "")
      #expect(try install(["PATH": "\(workspace.url.path)/\(name)/bin:/usr/bin:/bin"]) == expected)
      #expect(try workspace.shell("made/modelctl --version") == "1.2.3")
      try workspace.shell("rm -r releases")
      #expect(try install([:]) == expected)
    }

    @Test("A file with a different checksum, a version without a checksum, and no version at all are refused")
    func refusals() throws {
      for (environment, words) in [
        (["MODELCTL_CHECKSUM": String(repeating: "0", count: 64)], "has the checksum \(checksum), not 000"),
        (["MODELCTL_CHECKSUM": ""], "the checksum is missing; give the SHA-256 of \(name).tar.gz"),
        (["MODELCTL_VERSION": "../1.2.3"], "is not the version of a release"),
      ] {
        let result = try install(environment)
        #expect(result.status == 2 && result.standardError.contains(words), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: "\(workspace.url.path)/made"))
      }
    }

    @Test("If there is no release of the version, modelctl is built")
    func builds() throws {
      // In place of the compiler: it prints the folder of the build, which has a program.
      try workspace.write(
        "#!/bin/sh\ncase $* in *--show-bin-path) echo '\(workspace.url.path)/\(name)/bin' ;; esac\n", to: "tools/swift")
      try workspace.shell("chmod +x tools/swift")
      let path = "\(workspace.url.path)/tools:/usr/bin:/bin"
      let result = try install(["MODELCTL_VERSION": "9.9.9", "PATH": path])
      #expect(result.status == 0 && result.standardOutput == "\(workspace.url.path)/made\n", "\(result)")
      #expect(
        result.standardError == "install: there is no release 9.9.9 for this machine, so modelctl is built\n",
        "\(result)")
    }
  }
#endif
