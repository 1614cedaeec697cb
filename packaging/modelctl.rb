# The formula for Homebrew. scripts/release replaces the names between at signs, and writes the result beside the archives.
class Modelctl < Formula
  desc "Versions Core Data models and migrates Core Data stores"
  homepage "@REPOSITORY@"
  url "@REPOSITORY@.git", tag: "v@VERSION@", revision: "@REVISION@"
  license "MIT"
  head "@REPOSITORY@.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "libxml2"
  depends_on "sqlite"
  depends_on "zlib"
  uses_from_macos "swift" => :build

  def install
    args = %w[--disable-sandbox --configuration release --product modelctl]
    args << "--static-swift-stdlib" if OS.linux?
    system "swift", "build", *args
    bin.install ".build/release/modelctl"
    system "scripts/man-pages", bin/"modelctl", buildpath/"man"
    man1.install Dir["man/*.1"]
    generate_completions_from_executable(bin/"modelctl", "--generate-completion-script")
    pkgshare.install "Models"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/modelctl --version").chomp
    bundle = pkgshare/"Models/Orders.xcdatamodeld"
    system bin/"modelctl", "create", "shop.sqlite", "--version", "v1", "--model", bundle
    system bin/"modelctl", "migrate", "shop.sqlite", "--to", "v4", "--model", bundle
    system bin/"modelctl", "verify", "shop.sqlite", "--model", bundle
  end
end
