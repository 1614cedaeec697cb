import Foundation
import TestSupport
import Testing

@Suite("No program that a foreign repository names is run")
struct StrangerRepositoryTests {
  private let workspace: SampleFolder
  private static let bundle = "Models/Todo.xcdatamodeld"

  /// A repository of two commits, with a program that leaves its arguments in `proof`.
  init() throws {
    workspace = try SampleFolder()
    try workspace.write("#!/bin/sh\necho \"$0 $*\" >> \"\(proof)\"\ncat\n", to: "run.sh")
    try shell(
      """
      chmod +x run.sh && git init --quiet --initial-branch=main \
      && git config user.name x && git config user.email x@example.com \
      && git add --all && git commit --quiet -m models && git tag v1.0 \
      && sed -i.bak 's/"Integer 16"/"Integer 32"/' \(Self.bundle)/v2.xcdatamodel/contents \
      && rm \(Self.bundle)/v2.xcdatamodel/contents.bak && git commit --quiet -am edited
      """)
    try workspace.makeStore("s.sqlite", version: "Todo@v1")
  }

  private var proof: String { workspace.url.appendingPathComponent("proof").path }
  private var program: String { workspace.url.appendingPathComponent("run.sh").path }

  @discardableResult
  private func shell(_ line: String) throws -> Modelctl.Result {
    let result = try Modelctl.shell(line, in: workspace)
    #expect(result.status == 0, "\(line): \(result)")
    return result
  }

  /// Commands that ask git for something.
  private static let commands = [
    "check", "check --base main", "check --base HEAD~ --release", "log Todo", "matrix Todo", "status s.sqlite",
    "show HEAD:\(bundle)/v2.xcdatamodel", "diff --base HEAD~", "diff HEAD~..HEAD", "lock --all \(bundle)",
    "new-version --restore HEAD --model \(bundle)", "init --git --dry-run", "init",
  ]

  /// Runs each command; none leaves a proof.
  private func runAll(_ words: String, in folder: String = ".") throws {
    for command in CorpusSample.of(Self.commands, atMost: 3) {
      let copy = try SampleFolder(copying: workspace)
      let result = try Modelctl.shell("cd \(folder) && timeout 60 modelctl \(command)", in: copy)
      #expect(result.status != 124 && result.status < 128, "\(words): \(command): \(result)")
      let said = (try? String(contentsOfFile: proof, encoding: .utf8)) ?? ""
      #expect(said.isEmpty, "\(words): \(command) ran \(said)")
      try? FileManager.default.removeItem(atPath: proof)
    }
  }

  /// Settings of git that name a program, or lead to one; `%` stands for the program.
  ///
  /// Source: `git help config`.
  private static let settings = """
    core.fsmonitor=%
    core.pager=%
    core.editor=%
    core.askPass=%
    core.sshCommand=%
    core.gitProxy=%
    core.alternateRefsCommand=%
    sequence.editor=%
    pager.log=%
    pager.diff=%
    pager.tag=%
    pager.config=%
    alias.log=!%
    alias.rev-parse=!%
    alias.cat-file=!%
    alias.ls-tree=!%
    alias.ls-files=!%
    alias.check-ignore=!%
    browser.x.cmd=%
    browser.x.path=%
    help.browser=x
    man.x.cmd=%
    man.x.path=%
    credential.helper=!%
    credential.https://example.com.helper=!%
    diff.external=%
    diff.x.command=%
    diff.x.textconv=%
    diff.x.wsErrorHighlight=all
    filter.x.clean=%
    filter.x.smudge=%
    filter.x.process=%
    filter.x.required=true
    merge.x.driver=%
    mergetool.x.cmd=%
    mergetool.x.path=%
    difftool.x.cmd=%
    difftool.x.path=%
    gpg.program=%
    gpg.openpgp.program=%
    gpg.x509.program=%
    gpg.ssh.program=%
    gpg.ssh.defaultKeyCommand=%
    log.showSignature=true
    tag.gpgSign=true
    commit.gpgSign=true
    interactive.diffFilter=%
    trailer.x.cmd=%
    trailer.x.command=%
    tar.x.command=%
    uploadpack.packObjectsHook=%
    remote.origin.uploadpack=%
    remote.origin.receivepack=%
    remote.origin.vcs=x
    remote.origin.url=ext::%
    remote.origin.promisor=true
    remote.origin.partialclonefilter=blob:none
    protocol.allow=always
    protocol.ext.allow=always
    submodule.x.update=!%
    submodule.recurse=true
    status.submoduleSummary=true
    diff.submodule=log
    sendemail.sendmailCmd=%
    sendemail.toCmd=%
    sendemail.ccCmd=%
    imap.tunnel=%
    instaweb.httpd=%
    instaweb.browser=%
    instaweb.modulePath=%
    web.browser=x
    guitool.x.cmd=%
    svn.authorsProg=%
    """.split(separator: "\n").map(String.init)

  /// Sets all of them in the file of a repository, as git writes them.
  private func set(in file: String) throws {
    let lines = Self.settings.map { setting in
      let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
      let names = parts[0].split(separator: ".").map(String.init)
      let middle = names.dropFirst().dropLast().joined(separator: ".")
      let section = middle.isEmpty ? names[0] : "\(names[0]) \"\(middle)\""
      return "[\(section)]\n\t\(names[names.count - 1]) = \"\(parts[1].replacing("%", with: program))\"\n"
    }
    let url = workspace.url.appendingPathComponent(file)
    let before = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    try Data((before + lines.joined()).utf8).write(to: url)
    let read = try shell("git config --file '\(file)' --list").standardOutput
    #expect(read.split(separator: "\n").count >= Self.settings.count)
  }

  private func writeHooks(to folder: String) throws {
    let names = [
      "post-index-change", "reference-transaction", "post-checkout", "post-rewrite", "pre-auto-gc",
      "fsmonitor-watchman",
      "query-watchman",
    ]
    for name in names { try shell("mkdir -p '\(folder)' && cp run.sh '\(folder)/\(name)'") }
  }

  @Test("By the repository's own settings, attributes, hooks and included files")
  func settings() throws {
    try set(in: ".git/config")
    try writeHooks(to: ".git/hooks")
    try workspace.write("* diff=x filter=x merge=x\n", to: ".gitattributes")
    // Its bytes are the same and its time is not, so that git would look into it.
    try shell("touch -d '2001-01-01' \(Self.bundle)/v2.xcdatamodel/contents")
    try Data("garbage".utf8).write(to: workspace.url.appendingPathComponent("\(Self.bundle)/.xccurrentversion"))
    try runAll("settings")
    try shell("mv .git/config inner && printf '[include]\\n\\tpath = ../inner\\n' > .git/config")
    try shell("git config --file inner core.hooksPath \(workspace.url.path)/.git/hooks")
    try runAll("included settings")
  }

  @Test("By a repository inside a bundle's folder, a folder of the work tree, or a submodule")
  func inner() throws {
    try shell("git clone --quiet --bare . ../bare.$$ && mv ../bare.$$ bare")
    try set(in: "bare/config")
    try shell("git config --file bare/config core.worktree .. && git config --file bare/config core.bare false")
    try writeHooks(to: "bare/hooks")
    try shell("cp -R bare/. \(Self.bundle)/ && cp -R bare/. Models/ && cp -R \(Self.bundle) bare/")
    try runAll("a repository in a bundle")
    try runAll("from inside of one", in: "Models")
    try shell(
      "git init --quiet Sub && cp -R \(Self.bundle) Sub/Own.xcdatamodeld && cd Sub && git add Own.xcdatamodeld/v*")
    try shell("cd Sub && git -c user.name=x -c user.email=x@example.com commit --quiet -m sub")
    try shell(
      "git add Sub 2>/dev/null; git commit --quiet -m sub && git config --file .gitmodules submodule.Sub.path Sub")
    try shell("git config --file .gitmodules submodule.Sub.update '!\(program)'")
    try set(in: "Sub/.git/config")
    try writeHooks(to: "Sub/.git/hooks")
    try runAll("a submodule")
    try runAll("from inside of it", in: "Sub")
  }

  @Test(
    "A pipe in place of a file that git reads makes no process wait",
    arguments: ["HEAD", "config", "index", "refs/heads/main", "objects/pack/x.idx", "sharedindex.1"])
  func pipes(_ name: String) throws {
    try shell("rm -f .git/\(name) && mkfifo .git/\(name)")
    for command in ["check", "diff Todo@v1 Todo@v2", "status s.sqlite"] {
      let result = try Modelctl.shell("timeout 60 modelctl \(command)", in: workspace)
      #expect([0, 1].contains(result.status), "\(command): \(result)")
    }
    let based = try Modelctl.shell("timeout 60 modelctl check --base main", in: workspace)
    #expect(based.status == 2 && based.standardError.contains(".git/\(name)"), "\(based)")
  }

  @Test(
    "Settings and alternates too large for git are refused by name", arguments: ["config", "objects/info/alternates"])
  func giants(_ name: String) throws {
    try shell("awk 'BEGIN { for (i = 0; i < 1200000; i++) print \"# no one\" }' >> .git/\(name)")
    let result = try Modelctl.shell("ulimit -t 5; modelctl check --base main", in: workspace)
    #expect(result.status == 2 && result.standardError.contains(".git/\(name) has more than "), "\(result)")
  }

  @Test("Paths of a mebibyte in the index cost no time")
  func longPaths() throws {
    try shell(
      """
      b=$(echo x | git hash-object -w --stdin)
      awk -v b=$b 'BEGIN { p = "a"; for (i = 0; i < 20; i++) p = p p; for (i = 0; i < 20; i++)
        printf "100644 %s\\t%s%d.xcdatamodeld/.xccurrentversion\\n", b, p, i }' | git update-index --index-info
      """)
    let result = try Modelctl.shell("ulimit -t 5; modelctl check", in: workspace)
    #expect([0, 1].contains(result.status), "\(result)")
  }

  @Test("A setting that changes the output of git does not change an answer")
  func outputSettings() throws {
    try workspace.write("{\"released\": {\"tags\": \"v*\"}}", to: ".modelctl.json")
    let commands = ["check --list-tags", "check", "log Todo", "check --base HEAD~"]
    let before = try commands.map { try Modelctl.shell("modelctl \($0)", in: workspace) }
    #expect(before[0].standardOutput.contains("v1.0") && before[1].status == 1, "\(before)")
    let settings = [
      "column.ui=always", "column.tag=always", "color.ui=always", "i18n.logOutputEncoding=UTF-16", "log.date=raw",
      "log.abbrevCommit=true", "log.decorate=full", "format.pretty=fuller", "log.diffMerges=separate",
      "diff.noprefix=true", "tag.sort=-refname", "core.quotePath=true", "diff.renames=copies", "log.graphColors=red",
      "diff.statGraphWidth=1", "grep.patternType=perl", "core.logAllRefUpdates=always",
    ]
    // Together, and by itself the one that once changed an answer.
    for chosen in [settings, Array(settings.prefix(1))] {
      for setting in chosen {
        let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
        try shell("git config \(parts[0]) \(parts[1])")
      }
      let after = try commands.map { try Modelctl.shell("modelctl \($0)", in: workspace) }
      #expect(after == before, "\(chosen)")
      for setting in chosen { try shell("git config --unset \(setting.prefix { $0 != "=" })") }
    }
  }

  @Test("A folder of a million names in an earlier commit costs no time")
  func manyNames() throws {
    try shell(
      """
      b=$(echo x | git hash-object -w --stdin) \
      && t=$(for i in 0 1 2 3 4 5 6 7 8 9; do printf '100644 blob %s\tf%s\n' $b $i; done | git mktree) \
      && for k in 2 3 4 5 6; do
        t=$(for i in 0 1 2 3 4 5 6 7 8 9; do printf '040000 tree %s\td%s\n' $t $i; done | git mktree); done \
      && B=$( (git ls-tree HEAD:\(Self.bundle); printf '040000 tree %s\tbomb.xcdatamodel\n' $t) | git mktree) \
      && M=$( (git ls-tree HEAD:Models | grep -v Todo.xcdatamodeld; printf '040000 tree %s\tTodo.xcdatamodeld\n' $B) \
        | git mktree) \
      && T=$( (git ls-tree HEAD | grep -v Models; printf '040000 tree %s\tModels\n' $M) | git mktree) \
      && c=$(echo bomb | git commit-tree $T -p HEAD) \
      && git update-ref refs/heads/main $(echo gone | git commit-tree HEAD^{tree} -p $c)
      """)
    // git alone takes ten seconds and more to list them.
    let log = try Modelctl.shell("ulimit -t 3; modelctl log Todo", in: workspace)
    #expect(log.status == 0 && log.standardOutput.contains("v2"), "\(log)")
  }

  @Test(
    "Ctrl-C and a request to end leave no git behind", .enabled(if: FileManager.default.fileExists(atPath: "/proc")))
  func leftGit() throws {
    try shell("mkdir unt && touch unt/x && mkfifo .gitignore")
    // Threads of the tests block signals, and a program that they start inherits that.
    var (signals, previous) = (sigset_t(), sigset_t())
    sigfillset(&signals)
    pthread_sigmask(SIG_UNBLOCK, &signals, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let left = try Modelctl.shell(
      """
      modelctl check >out 2>&1 & program=$!
      child=
      for i in $(seq 400); do
        child=$(cat /proc/$program/task/*/children 2>/dev/null | tr ' ' '\\n' | while read -r c; do
          grep -qs check-ignore /proc/$c/cmdline && echo $c; done | head -n 1)
        [ -n "$child" ] && break
        sleep 0.02
      done
      [ -n "$child" ] || { echo "no git was seen"; cat out; exit 3; }
      kill -TERM $program; wait $program; echo "ended with $?"
      for i in $(seq 100); do kill -0 $child 2>/dev/null || exit 0; sleep 0.05; done
      echo "git is still there"; kill -KILL $child; exit 1
      """, in: workspace)
    #expect(left.status == 0 && left.standardOutput.contains("ended with 143"), "\(left)")
  }

  @Test("By objects that are missing, and by alternates of another repository")
  func objects() throws {
    try set(in: ".git/config")
    try shell("git config core.repositoryFormatVersion 1 && git config extensions.partialClone origin")
    try shell(
      "blob=$(git rev-parse HEAD:\(Self.bundle)/v2.xcdatamodel/contents) && rm -f .git/objects/${blob%${blob#??}}/${blob#??}"
    )
    try runAll("a missing object")
    try shell(
      "git clone --quiet --bare Models/.. ../other.$$ 2>/dev/null; mv ../other.$$ other || mkdir -p other/objects")
    try set(in: "other/config")
    try workspace.write("\(workspace.url.path)/other/objects\n", to: ".git/objects/info/alternates")
    try runAll("alternates")
  }

  @Test("By variables of git, and by a folder of PATH that is named from here")
  func variables() throws {
    try set(in: "hostile")
    try shell("cp run.sh git && cp run.sh dot")
    let variables = [
      "GIT_PAGER", "GIT_EDITOR", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PROXY_COMMAND", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF",
      "GIT_SEQUENCE_EDITOR", "PAGER", "EDITOR",
    ].map { "\($0)='\(program)'" }
    let inner = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=include.path GIT_CONFIG_VALUE_0='\(workspace.url.path)/hostile'"
    let parameters = "GIT_CONFIG_PARAMETERS=\"'core.fsmonitor'='\(program)'\""
    for command in Self.commands + ["diagram Todo@v2 --format svg=picture"] {
      let program = try Modelctl.program().path
      let line = "\(variables.joined(separator: " ")) \(inner) \(parameters) GIT_EXEC_PATH=. PATH=.::$PATH \(program)"
      _ = try Modelctl.shell("timeout 60 \(line) \(command)", in: try SampleFolder(copying: workspace))
      #expect(!FileManager.default.fileExists(atPath: proof), "\(command)")
    }
  }

  @Test("Endless error output of git makes no process wait")
  func complaints() throws {
    let lines = (0..<4_000).map { "* b@d\($0)!name\($0)\n" }.joined()
    try workspace.write(lines, to: ".gitattributes")
    try shell("git add --all 2>/dev/null && git commit --quiet -m attributes 2>/dev/null")
    try Data("garbage".utf8).write(to: workspace.url.appendingPathComponent("\(Self.bundle)/.xccurrentversion"))
    let result = try Modelctl.shell("timeout 60 modelctl check", in: workspace)
    #expect(result.status == 2 && result.standardError.contains(" checkout -- "), "\(result)")
  }
}
