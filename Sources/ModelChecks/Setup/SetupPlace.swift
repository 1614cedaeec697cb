import ModelFiles

/// Where the files of a project go: to the top of its repository, else to its folder.
struct SetupPlace {
  let folder: String
  let top: String?

  /// The path of a file, from the folder of the run where the file is above it or in it.
  func path(_ name: String) -> String {
    guard let top else { return folder == "." ? name : BundlePath.joined(folder, name) }
    let (base, place) = (BundlePath.components(top), BundlePath.components(RealPath.of(folder)))
    guard place.starts(with: base) else { return BundlePath.joined(top, name) }
    let steps = Array(repeating: "..", count: place.count - base.count)
    let start = folder == "." ? [] : [BundlePath.trimmed(folder)]
    return (start + steps + [name]).joined(separator: "/")
  }
}
